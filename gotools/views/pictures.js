"use strict";
// Draws the positions that replay.js has written as text: signs of the places, places that the last move changed, lines
(() => {
  const circle = (at, r, name) => `<circle class="${name}" cx="${at[0]}" cy="${at[1]}" r="${r}"/>`;
  for (const box of document.querySelectorAll(".replay")) {
    const { boards, signs } = JSON.parse(box.querySelector("script").textContent), stage = box.querySelector(".stage");
    const draw = () => {
      const text = stage.querySelector("pre");
      if (!text) return;
      const [lying, changed, ...below] = text.textContent.split("\n"), on = lying.split(","), board = boards[on.length];
      const lain = on.map((sign, i) => sign === "." ? "" :
        `<g transform="translate(${board.at[i].join(" ")})">${signs[sign]}</g>`);
      const marks = changed.split(" ").filter(Boolean).map((i) => {
        const colour = { X: "black", O: "white" }[on[i]];
        return circle(board.at[i], colour || on[i] === "." ? 3.2 : 9.4, `last on-${colour || ""}`);
      });
      stage.innerHTML = board.svg.replace("</svg>", `${lain.join("")}${marks.join("")}</svg>`);
      const lines = stage.querySelectorAll("svg > text");
      below.forEach((line, i) => { lines[i].textContent = line; });
    };
    if (boards) {
      new MutationObserver(draw).observe(stage, { childList: true });
      draw();
    }
  }
})();
