"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg", STEP = 20, MARGIN = 24, LETTERS = "ABCDEFGHJKLMNOPQRST";
  const make = (name, attributes, parent, words) => {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (words !== undefined) made.textContent = words;
    if (parent) parent.append(made);
    return made;
  };
  // a move is two letters, column and row from the top, small for black and capital for white; "tt" is a pass
  const read = (text) => {
    const moves = [];
    for (let i = 0; i + 1 < text.length; i += 2) {
      const pair = text.slice(i, i + 2), low = pair.toLowerCase();
      moves.push({ colour: pair === low ? 1 : 2, x: low.charCodeAt(0) - 97, y: low.charCodeAt(1) - 97 });
    }
    return moves;
  };
  const name = (move, size) => move.x > 18 ? "pass" : LETTERS[move.x] + (size - move.y);
  const play = (cells, size, move) => {
    if (move.x > 18) return;
    const at = move.y * size + move.x;
    const near = (p) => [p % size ? p - 1 : -1, p % size < size - 1 ? p + 1 : -1, p - size, p + size]
      .filter((q) => q >= 0 && q < size * size);
    const chain = (p) => {
      const found = new Set([p]);
      let free = false;
      for (const q of found) for (const r of near(q)) {
        if (!cells[r]) free = true;
        else if (cells[r] === cells[p]) found.add(r);
      }
      return free ? [] : [...found];
    };
    cells[at] = move.colour;
    for (const q of near(at)) if (cells[q] === 3 - move.colour) for (const p of chain(q)) cells[p] = 0;
    for (const p of chain(at)) cells[p] = 0;
  };

  class Replay {
    constructor(box) {
      this.box = box;
      this.data = JSON.parse(box.querySelector("script").textContent);
      this.part = (name) => box.querySelector(name);
      this.slider = this.part("input");
      this.part(".controls").hidden = false;
      this.section = box.closest("section");
      this.links = [...this.section.querySelectorAll("a[data-game]")];
      for (const link of this.links) link.addEventListener("click", (event) => {
        event.preventDefault();
        const [game, ply] = link.dataset.game.split(":");
        this.open(+game, ply === undefined ? undefined : +ply);
        box.scrollIntoView({ block: "nearest" });
        box.focus({ preventScroll: true });
      });
      box.addEventListener("click", (event) => {
        const button = event.target.closest("button");
        if (button && button.dataset.ply) this.show(+button.dataset.ply - 1);
        else if (button) this.step(button.dataset.step);
      });
      this.slider.addEventListener("input", () => this.show(+this.slider.value));
      box.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last",
          ArrowUp: "before", ArrowDown: "after" }[event.key];
        if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        this.step(step);
      });
      this.open(0, this.data.games[0].o ?? Infinity);  // before the first surprise, else at the end
    }
    step(name) {
      const at = this.at, games = this.data.games.length;
      if (name === "before" || name === "after") {
        this.open((this.number + (name === "after" ? 1 : games - 1)) % games);
      } else this.show({ first: 0, back: at - 1, forward: at + 1, last: this.last }[name]);
    }
    open(number, ply) {
      this.number = number;
      const game = this.game = this.data.games[number];
      this.moves = game.m ? read(game.m) : [];
      this.last = game.b ? game.b.length - 1 : this.moves.length;
      this.part(".title").textContent = game.t;
      this.slider.max = this.last;
      for (const link of this.links) {
        const row = link.closest("tr");
        if (+link.dataset.game === number) row.setAttribute("aria-current", "true");
        else row.removeAttribute("aria-current");
      }
      this.surprises();
      this.curve();
      this.show(ply ?? game.o ?? 0);
    }
    // the moves that were expected least, each a button to the position before it
    surprises() {
      const place = this.part(".surprises");
      place.replaceChildren(...(this.game.u || []).map(([ply, share]) => {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.ply = ply;
        button.textContent = `${ply}: ${share} %`;
        button.setAttribute("aria-label", `move ${ply}, expected with ${share} per cent`);
        return button;
      }));
      if (this.game.u && this.game.u.length) place.prepend("least expected: ");
    }
    show(at) {
      this.at = at = Math.min(Math.max(at, 0), this.last);
      const game = this.game, move = this.moves[at - 1];
      this.slider.value = at;
      this.stage(at);
      const colour = move && (move.colour === 1 ? "black" : "white");
      const words = [`${at} of ${this.last}`];
      if (move) words.push(`${colour} ${name(move, game.s)}`);
      if (game.w && at) words.push(`${["", "black", "white"][this.side(at - 1)]} ${game.w[at - 1]}`);
      if (game.v && game.v[at - 1] != null && at) words.push(`black's chance ${game.v[at - 1]} %`);
      if (game.p && at && game.p[at - 1]) words.push(`expected with ${game.p[at - 1]} %`);
      this.part(".now").textContent = words.join(" · ");
      const said = game.c && game.c[at - 1];
      this.part(".comment").textContent = said || "";
      if (this.cursor) {
        const x = 30 + 360 * at / Math.max(this.last, 1);
        this.cursor.setAttribute("d", `M${x} 6V94`);
      }
    }
    stage(at) {
      const game = this.game, stage = this.part(".stage");
      if (game.b) {
        const pre = document.createElement("pre");
        pre.textContent = game.b[at];
        stage.replaceChildren(pre);
        return;
      }
      const size = game.s, cells = new Array(size * size).fill(0);
      const setup = game.x || [];
      for (let ply = 0; ply <= at; ply++) {
        if (ply) play(cells, size, this.moves[ply - 1]);
        for (const [after, colour, place] of setup) if (after === ply) {
          const put = read(place)[0];
          cells[put.y * size + put.x] = colour;
        }
      }
      this.draw(stage, size, cells, at);
    }
    draw(stage, size, cells, at) {
      const low = MARGIN, high = MARGIN + (size - 1) * STEP, side = high + MARGIN;
      const said = `position after ${at} moves`;
      const svg = make("svg", { class: "board", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": said });
      make("rect", { class: "wood", width: side, height: side, rx: 3 }, svg);
      let lines = "";
      for (let i = 0; i < size; i++) {
        const p = low + i * STEP;
        lines += `M${low} ${p}H${high}M${p} ${low}V${high}`;
        make("text", { x: p, y: high + 19, "text-anchor": "middle" }, svg, LETTERS[i]);
        make("text", { x: low - 11.5, y: high - i * STEP + 3.2, "text-anchor": "end" }, svg, i + 1);
      }
      make("path", { class: "line", d: lines }, svg);
      for (const [x, y] of this.data.stars[size] || []) {
        make("circle", { class: "dot", cx: low + x * STEP, cy: low + y * STEP, r: 2 }, svg);
      }
      cells.forEach((colour, p) => {
        if (colour) make("circle", { class: ["", "black", "white"][colour], r: 9.4,
          cx: low + p % size * STEP, cy: low + Math.floor(p / size) * STEP }, svg);
      });
      const centre = (move) => ({ cx: low + move.x * STEP, cy: low + move.y * STEP });
      for (const [move, share] of this.heat(at)) {
        const { cx, cy } = centre(move);
        make("rect", { class: "heat", x: cx - 9.5, y: cy - 9.5, width: 19, height: 19, rx: 3,
          "fill-opacity": Math.min(.25 + .0075 * share, 1) }, svg);
        make("text", { class: "share", x: cx, y: cy + 3, "text-anchor": "middle" }, svg, share);
      }
      const next = this.game.h && this.moves[at], last = this.moves[at - 1];
      if (last && last.x < 19) make("circle", { class: `last on-${["", "black", "white"][last.colour]}`, r: 3.2, ...centre(last) }, svg);
      if (next && next.x < 19) make("circle", { class: "move", r: 8.2, ...centre(next) }, svg);
      stage.replaceChildren(svg);
    }
    // the likely moves of a position: two letters and two digits of per cent each
    heat(at) {
      const text = this.game.h && this.game.h[at];
      return (text ? text.match(/.{4}/g) : []).map((one) => [read(one.slice(0, 2))[0], +one.slice(2)]);
    }
    curve() {
      const place = this.part(".curve-of-game"), game = this.game;
      this.cursor = null;
      place.replaceChildren();
      const sides = game.v && (game.v2 ? [game.v] : [1, 2].map((colour) =>
        game.v.map((value, i) => this.side(i) === colour ? value : null)));
      if (!sides || !sides.flat().some((value) => value != null)) return;
      const svg = make("svg", { class: "chart", viewBox: "0 -6 400 124", role: "img",
        "aria-label": "black's chance to win over the moves" }, place);
      make("path", { class: "grid", d: "M30 6H390M30 50H390M30 94H390" }, svg);
      for (const [y, words] of [[10, "100"], [54, "50"], [98, "0"]]) make("text", { x: 25, y, "text-anchor": "end" }, svg, words);
      sides.forEach((values, k) => {
        let path = "";
        values.forEach((value, i) => {
          if (value == null) return;
          path += `${path ? "L" : "M"}${30 + 360 * (i + 1) / this.last} ${94 - .88 * value}`;
        });
        make("path", { class: `curve c${k}`, d: path }, svg);
        if (sides.length > 1) {
          make("path", { class: `curve c${k}`, d: `M${30 + 150 * k} 110h14` }, svg);
          make("text", { x: 50 + 150 * k, y: 114 }, svg, `${(game.n || ["black", "white"])[k]}`);
        } else make("text", { x: 30, y: 114 }, svg, game.v2);
      });
      this.cursor = make("path", { class: "guide", d: "" }, svg);
    }
    side(i) {
      return this.moves[i] ? this.moves[i].colour : 1 + i % 2;
    }
  }
  for (const box of document.querySelectorAll(".replay")) new Replay(box);
})();
