"""Records of two players by name, rank and perhaps event, in encodings that they do not name or name wrongly.

The names, of professionals, amateurs and on servers, were written down after the tables of gotools/game/records were.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_NAMES: Final = {
    "gb18030": (
        "胡煜清 白宝祥 王琛 马天放 战鹰 杨润东 许一笛 屠苏 叶桂 赵威 陶忻 谢科 汪洋 王昊洋 王磊 "
        "刘世振 周振宇 彭筱 王雷 牛栎 李康 孟泰龄 张涛 陈潇楠 郑策 柯劲松 余平 杨士海 梁伟棠 马石 "
        "潜伏 烂柯山人 棋迷小张 夜雨声烦 逆风飞扬 弈城高手 深圳老王 忘忧清乐 上善若水 小飞侠 "
    ),
    "big5": (
        "陳士 張哲豪 曾坤鼎 蘇奕豪 陳禧 吳柏毅 鄭胤 蔣其潤 莊士平 黃立勤 洪敏三 林永山 魯昱德 王鈞 "
        "李映 何雲波 張筱苡 詹宜典 邱政賢 宋彥 曾品杰 簡士傑 楊志德 廖苡茜 游宗翰 柳楷 涂鳳 藍仁 "
        "鐘予翔 溫雅 老鷹 綠野仙蹤 無敵鐵金剛 孤星淚 台北張三 竹林七賢 夢遊 醉臥 鳳凰 隨緣 "
    ),
    "shift_jis": (
        "中小野田智己 加藤充志 柳時熏 黒瀧正樹 後藤俊午 大矢浩一 山城宏 清成哲也 倉橋正行 石井邦生 "
        "森田道博 楠光子 古谷裕 蘭田 馬場滋 長谷川直 長島梢恵 井澤秋乃 巻幡多栄子 大澤奈留美 稲葉かりん "
        "茂呂有紗 羽根彩夏 辰己茜 田口美星 森智咲 寺山怜 伊藤優詩 横塚力 姚智騰 夜桜 風来坊 天狗 "
        "隠居老人 勝又清和 岩丸平 瀧澤雄太 藪内奈美 渡邉由輝 村松竜一 "
    ),
    "euc_jp": (
        "中小野田智己 加藤充志 柳時熏 黒瀧正樹 後藤俊午 大矢浩一 山城宏 清成哲也 倉橋正行 石井邦生 "
        "森田道博 楠光子 古谷裕 蘭田 馬場滋 長谷川直 長島梢恵 井澤秋乃 巻幡多栄子 大澤奈留美 稲葉かりん "
        "茂呂有紗 羽根彩夏 辰己茜 田口美星 森智咲 寺山怜 伊藤優詩 横塚力 姚智騰 夜桜 風来坊 天狗 "
        "隠居老人 勝又清和 岩丸平 瀧澤雄太 藪内奈美 渡邉由輝 村松竜一 "
    ),
    "euc_kr": (
        "강유택 김성진 이태현 박하민 송규상 심재익 한상조 이창석 박재근 금지우 김범서 이연 김승진 "
        "박진영 최원진 허영락 현유빈 김승구 홍무진 류민형 김세동 이호범 안국현 박영롱 김현찬 강지성 "
        "박병규 서무상 이상훈 이재웅 구름나그네 초보자 하늘천사 무적함대 푸른바다 꽃돼지 외톨이 흑기사 "
        "봄날 똘똘이 "
    ),
}
_RANKS_AND_EVENTS: Final = {
    "gb18030": ("九段", "五段", "第三届春兰杯决赛"),
    "big5": ("九段", "六段", "第六屆應氏盃決賽"),
    "shift_jis": ("九段", "八段", "第七期名人戦第三局"),
    "euc_jp": ("九段", "八段", "第七期名人戦第三局"),
    "euc_kr": ("9단", "5단", "제3회 삼성화재배 결승"),
}
ENCODINGS: Final = tuple(_NAMES)


def games(encoding: str, ranks: bool, event: bool, declared: str = "") -> Iterator[tuple[bytes, tuple[str, str]]]:
    """Yield 40 records, each with the names of its players as they are."""
    names = _NAMES[encoding].split()
    first, second, title = _RANKS_AND_EVENTS[encoding]
    for place, black in enumerate(names):
        white = names[(7 * place + 3) % len(names)]
        text = f"(;GM[1]FF[4]{declared and f'CA[{declared}]'}SZ[19]PB[{black}]PW[{white}]"
        text += (f"BR[{first}]WR[{second}]" if ranks else "") + (f"EV[{title}]" if event else "")
        yield (text + "KM[6.5]RE[B+R];B[pd];W[dd];B[pp])").encode(encoding), (black, white)
