"""Score the positions of position.tsv by ./rules.so, with gotools installed; docs/compiled-rules.md."""

from gotools import read_examples
from gotools.rules.compiled.native import load_native
from gotools.rules.weigh.accuracy import choices_of

native = load_native("rules.so", digest="5d9886d1f594")
points = choices_of(read_examples(["position.tsv"])).points
score = native.score(points)  # float64[positions, cells], -inf where no move is legal
fired = native.hits(points, row=0)  # bool[rules, size * size]
point = int(score[0].argmax())
print(point, score[0, point], [rule.id for rule, hit in zip(native.rules.rules, fired[:, point], strict=True) if hit])
