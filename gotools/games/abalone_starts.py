"""Start positions of Abalone by name: the position of the box, and those that are played in tournaments."""

from __future__ import annotations

from typing import Final

CLASSICAL: Final = "classical"
STARTS: Final = {
    CLASSICAL: "sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS b",
    "6-9": "5/ssssss/sSs3s/1ss2ss1/9/1SS2SS1/S3SsS/SSSSSS/5 b",
    "alien-attack": "S1S1S/1SssS1/1SsSsS1/3SS3/9/3ss3/1sSsSs1/1sSSs1/s1s1s b",
    "aliening": "2s2/1SSSS1/1S1s1S1/SsS2SsS/9/sSs2sSs/1s1S1s1/1ssss1/2S2 b",
    "alitration": "1sSs1/2SS2/s1SsS1s/1sS2Ss1/9/1Ss2sS1/S1sSs1S/2ss2/1SsS1 b",
    "anglattack": "ss1SS/sS2sS/2S1s2/8/sSSs1SssS/8/2S1s2/sS2sS/ss1SS b",
    "april-fish": "s1sss/1sssSs/1s1sss1/4s3/9/3S4/1SSS1S1/SsSSS1/SSS1S b",
    "atomouche": "Ss3/s2SsS/2S4/S1s4s/s2S1s2S/S4S1s/4s2/sSs2S/3Ss b",
    "belgian-daisy": "SS1ss/SSSsss/1SS1ss1/8/9/8/1ss1SS1/sssSSS/ss1SS b",
    "domination": "5/s4S/ss3SS/ssss1SSS/3S1S3/SSS1ssss/SS3ss/S4s/5 b",
    "dutch-daisy": "ss1SS/sSsSsS/1ss1SS1/8/9/8/1SS1ss1/SsSsSs/SS1ss b",
    "face-2-face": "5/6/ss3SS/sss2SSS/ssss1SSSS/sss2SSS/ss3SS/6/5 b",
    "french-daisy": "5/2SS2/2SSS2/1ssSSss1/1sss1sss1/1ssSSss1/2SSS2/2SS2/5 b",
    "german-daisy": "5/ss2SS/sss1SSS/1ss2SS1/9/1SS2ss1/SSS1sss/SS2ss/5 b",
    "infiltration": "1SsS1/1SSSS1/1SsSsS1/1S4S1/9/1s4s1/1sSsSs1/1ssss1/1sSs1 b",
    "pyramid": "s4/ss4/sss4/ssss4/ssss1SSSS/4SSSS/4SSS/4SS/4S b",
    "snakes": "SSSSS/S5/S6/S2SSss1/1S1S1s1s1/1SSss2s/6s/5s/sssss b",
    "star": "S3s/1s2S1/s1S1s1S/3sS3/sSsS1sSsS/3sS3/s1S1s1S/1s2S1/S3s b",
    "swiss-daisy": "5/ss2SS/sSs1SsS/1ss2SS1/9/1SS2ss1/SsS1sSs/SS2ss/5 b",
    "the-wall": "2s2/6/1sssss1/ssssssss/9/SSSSSSSS/1SSSSS1/6/2S2 b",
}
"""FEN of each (`abalone_board.read_fen`); black begins."""
