"""Which of several encodings a text is in: the one under which its characters are the likeliest.

Bytes stand for one text in each encoding, so the probabilities of these texts may be compared: the product of those of
their characters. Frequent characters of the language share most of the probability, the other characters of the first
plane of its standard most of the rest. Family names begin the names of players, and a digit stands before a rank.
All costs are natural logarithms.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from math import log
from typing import Final

# Characters that are frequent in names of players, ranks, events and comments, by language: from general knowledge of
# names and of texts about Go, not from a collection of records. The order means nothing.
_CHINESE_SURNAMES: Final = (
    "王李张张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧肖程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏"
    "钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛"
    "温芦季俞章鲁葛伍韦申尤毕聂焦向柳邢路岳齐梅庄辛管祝左涂谷时舒耿卜古柯芈於檀邬党辜丰廉连於屠芮仇桑巫童欧阳战靳穆单包"
    "張劉陳楊趙黃吳孫馬羅鄭謝韓馮蕭鄧許呂蘇盧蔣賈葉閻鍾鐘譚鄒陸顧龍萬錢湯賴龔龐蘭閆顏嚴蘆魯韋畢聶齊莊塗時連歐陽單沈游"
    "簡詹涂柯翁官蕭卓巫阮紀紅"
)
_CHINESE: Final = (
    "一二三四五六七八九十段级級初业業职職名人天元杯盃赛賽战戰局第届屆决決半预預选選轮輪黑白先手胜勝负負目子贴貼中国國韩韓日本年月"
    "围圍棋圣聖王位本因坊联聯甲冠军軍挑战双雙方对對大师師公开開快棋电電视視应應氏富士通三星春兰蘭农農心阿含桐山新理光东東洋证"
    "證券丰田世界锦標标锦錦亚亞洲运運会會业余餘擂台臺友谊誼邀请請女子男青少年晚报報商业业晋晉升级段位全个個人团團体體总總冠军"
    "的是了不在有这這下上和就可以要也都他说說来來到好很打出入吃活死劫征气氣眼形势勢厚薄地实實空大小场場变變化定式布局官攻防守"
    "补補断斷接连連飞飛跳长長立挡擋压壓扳虎尖夹夾点點角边邊中央超时時认認输輸和投降数數规則则网網弈城"
    "伟偉芳娜秀英敏静靜丽麗强強磊军軍洋勇艳艷杰傑娟涛濤明超兰霞平刚剛桂文辉輝鹏鵬华華红紅玉志健建国民永成康林海龙龍飞飛"
    "宇浩轩軒子涵梓豪诗詩嘉怡欣雨佳俊毅哲天泽澤睿博思远遠晨昊瑞一凡凯凱旭东峰锋鋒斌彬波宁寧亮光荣榮德仁义義智信忠良松柏梅"
    "清源春秋冬夏雪冰云雲风風雷星辰月阳陽朝晓曉卫衛钧鈞锦景铭銘洁潔力昱廷孝玲岳啸嘯笑冰越宏祥瑞庆慶福祿禄寿壽喜乐樂安康"
    "家学學礼禮书書琴画畫真善美玄之莹瑩如若兮淳鸣鳴传傳正立元亨利贞貞启啟承继繼宗祖绍紹先士大小为為守其尔爾世振兴興耀祖"
    "维維钦欽诚誠金木水火土山川河江湖震霆霖汉漢卿彦彥骏駿奇珍宝寶琪琳瑶瑤璐珊慧惠淑贤賢贵貴群生根富有进進步新闻聞达達"
    "凌江赫尧堯舜禹豹虎鹤鶴鸿鴻燕鹰鷹煜炜煒炫烨燁焕煥灿燦然熙照勋勳功臣君甫炳坤乾泰恒恆鼎益谦謙升晋师培城均埔圣圣胤"
    "弘彰廣广庭府康廉仪儀仲伦倫伯修健俐修全典军冠初利加劲勁勤卓厚双叔吉向和咏哥唯善嘉团园坚堅士声聲如姗姝娅婷婉媛嫣孟季"
    "宇宗宜宣宪憲宽寬寅尚尹展岩崇崎巍希帆常干幼度建彤彪征律得微心念恩悦悅悠情意愛爱懷怀成才扬揚拓振捷政敬数斐方旗旺昌易昕"
    "显顯晖暉普晶智曦曼朋望朗杉杏权權来东柔栋棟树樹桐森楠楷樂歌止毓民汝沁沛沐沙治泉泓泽津洪流浪润潤涛淇深渊淵渝湘源滨濱"
    "潇瀟澄灵靈烈煌燕牧献獻玮瑋玺璽珂珠理琛琦瑜瑾璋璟甜畅暢疆登皓盈盛睿硕碩磊祺禾秉科秦程穎颖章竹筠箫"
    "简純纯紫红纪约绪绮缘罡翔翠翰耕聪聰肇胜能自至致航良芊芝芬芸苗英茂茜茹荷莉莎莲蓮菁菊萌萍蓉蔚蕾薇蕊虹融行衡"
    "裕西言诺諾谊豫赞贊跃躍轶辛辰远迎迪通连逸道遥遙郁郡都野量銀银钊釗铁鐵锐銳长隆隽雄雅霄露青非音韬韜韵韻顺順颂頌飘"
    "香馨驰馳骁驍骥魁鲁麒麟黎默齐棟鴻堅張栩，。、：！？（）《》“”０１２３４５６７８９"
)
_JAPANESE: Final = (
    "ぁあいうえおかがきぎくぐけげこごさざしじすずせぜそぞただちっつづてでとどなにぬねのはばひびふぶへべほぼまみむめもやゆよらりる"
    "れろわをんァアィイウェエオカガキギクグケコゴサザシジスズセゼソタダチッツテデトドナニネノハバパヒビピフブプヘベペホボポマミム"
    "メモャヤュユョヨラリルレロワンヴー々・、。"
    "一二三四五六七八九十段級初名人天元杯戦局第期回決勝準予選本因坊棋聖王座碁優勝挑手合番日院新世代東西関中国韓黒白先目半中押負対局"
    "年月日級位竜星阿含桐山杯富士通世界選手権女流若鯉覇トーナメントリーグ戦大会職団個人全国学生電聖段差込石置互定勝敗持碁時間切投了譜解説"
    "佐藤鈴木高橋田中伊渡辺邊辺山本中村小林加吉斎齋斉松井上木清水口崎阿部森池橋石川前岡長谷後近遠坂青福三西浦太原内藤野"
    "谷和武酒竹宮平安沢澤島嶋嶌河大久保今丸岩工杉千葉菊桜桑荒新市戸梶趙治勲勳張栩依基志英雄正光一秀行雅夫宏則紀彦健二郎"
    "太朗裕昌之弘幸司修次男勇樹俊輔介哉也生直真信義明豊茂和男隆孝康泰文敬敏昭晃章浩洋博宣伸進克勝利成功智哲清道徳"
    "朋朱里美由香梨沙奈菜穂子恵理絵里佳代乃希未央紗彩友知梓桃萌心結咲花愛春夏秋冬雪月海空星光里緒薫静香歩芝虎丸力遼大輝将"
    "翔翼拓伶怜奈悠航涼亮諒涼匡駿俊蓮仁剛毅强強卓巧匠慎慧賢謙誠純潤淳涼聡徹哲透滋重守護登昇晋普祐佑祐亘亙典法則憲範教"
    "久永寿喜鶴亀龍竜鷹鳥熊鹿馬牛虎犬猫吾悟諭令冷礼怜玲鈴蘭欄林琳麟隣隆龍立律林琢策丈和仙知仙得元算砂節源因碩安井門悦家"
    "橘苑羽根直結城聡土光岳柳時熙王立誠彭潘善琪琪許家元鄭銘瑝黄翊祖余正麒蘇耀国李沂修金秀俊曺薫鉉鎬昌徐奉洙林海峰呉清源藤"
    "沢橋本宇太郎昇雄吾岩本薫高川格島村坂田栄男雁金準一瀬越憲作鈴木為次喜多文子向井梶原武雄工藤紀夫石田芳加納嘉徳片岡聡"
    "依田山下敬吾蘇河野臨井山裕太村川大介伊田篤史一力遼余高尾紳路羽根直樹溝上知親中野寛也今村俊也結城彦坂秦史郎黄茶"
    "倉倫仲佳侑依俣信保倭俵倖健備働儀儿兵其具典冴凛出分列初別利刻前創功助労勅動北卯原友及収取古句可史右司吉名向君吟周味品哲"
    "唐啓善喜器四国園土在地坪垣城域堀堂塚塩境墨多夢天央奥好妃妙始姫嬉宅宇守安実客室宮寄富寛察寺専尊尋導尚尾居展崇嵐川州巌"
    "左差己市布帆師常平幹幾庄床店庵廉延建式引弥弦当形影彰後御徳心必快念思怜恒恭息悦惟意感慈慶憂戒戸所手打投拝指振掛採"
    "揮援摩放政救教数敷斎料新方施旅族旗旬旭昂昌明映是晋晟晩景晴晶智暁暖暢曜曲書最月有服朔望朝期未札杏杜来板析枝枯柏染柚査柿"
    "（）「」：？！０１２３４５６７８９栃栗校根桂桐桑桜梅梢梨械棟植椎椿楓楠榊榎槇槙樋樫橘機檜櫻"
)
_KOREAN_SURNAMES: Final = (
    "김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민진나지엄채원천방공현함변염여추도소석"
    "선설마길연위표명기반왕금옥육인맹제모탁국어은편용예경봉사부가복태목형피두감호빈동온제갈남궁독고황보선우"
)
_KOREAN: Final = (
    "가각간갑강개거건검결겸경계고곤공과관광교구국군권귀규균그극근금급기길김까나난날남내너네년노녹누는니다단달담당대더덕데도독동두드들"
    "등디라란람랑래량러런려련렬령로록료루류륙률르른를름리린림마막만말망매맹면명모목무묵문물미민바박반발방배백번범법벽변별병보복본봉부북분붕"
    "비빈빙사산삼상새생서석선설섭성세소속손솔송수숙순술숭스슬습승시식신실심십쌍아안알애야약양어언얼업에여역연열염엽영예오옥온완왕외요"
    "용우욱운웅원월위유육윤율융은을음의이익인일임입자잔잠장재저적전절점정제조족존종좌주준중즉증지직진집차찬창채책처천철첩청체초총최추축춘출"
    "충치칠침카코크타탁탄태택터토통투트특티파판팔패팽펑페편평포폭표품풍프피하학한할함합항해행향허헌혁현협형혜호혼홍화환활황회획효후훈흑흥희히"
    "흰째컵전국대회결승기성명인왕위천원제회백흑불계승패집반덤초읽기프로아마단급이창호조훈현유창혁서봉수이세돌최철한박영훈"
)
_ACCENTED: Final = "äöüßéèêëáàâãåæçíìîïñóòôõøúùûýÿšžœłśćńżźąęěščřžýůőűďťňăîâșțşţğıøđ"
"""Small letters; their capitals begin words."""

ASIAN: Final = {  # in the order of how many records have them: languages, first bytes of the common plane, its size
    "gb18030": (_CHINESE_SURNAMES, _CHINESE, 0xB0, 0xD7, 3755),
    "cp932": (_JAPANESE, _JAPANESE, 0x88, 0x98, 2965),
    "cp949": (_KOREAN_SURNAMES, _KOREAN, 0xB0, 0xC8, 2350),
    "cp950": (_CHINESE_SURNAMES, _CHINESE, 0xA4, 0xC6, 5401),
    "euc_jp": (_JAPANESE, _JAPANESE, 0xB0, 0xCF, 2965),
}
SINGLE: Final = {"cp1252": -2.0, "cp1251": -5.0, "cp1250": -5.0, "koi8_r": -6.0}
CANDIDATES: Final = (*ASIAN, *SINGLE, "utf-8")
_SHARES: Final = (0.8, 0.15)
"""Of the probability: that of frequent characters, and of others of the common plane."""
_SECOND_PLANE, _BEYOND, _WIDE_MARK, _PRIVATE = -12.5, -15.0, -11.5, -18.0
_ASCII, _DAMAGED, _UNKNOWN = -3.3, -20.0, -9.0
_SMALL, _CAPITAL, _MISPLACED, _SIGN, _OTHER = -4.5, -6.0, -10.0, -7.0, -11.0
_NEIGHBOUR: Final = -3.0
"""An accented letter beside another one."""
_RANK: Final = 12.0
_UNPAIRED: Final = -25.0
_RANKS: Final = re.compile(r"(?:[0-9０-９]|[初一二三四五六七八九十])\s*[段级級단급]")
_FIRST: Final = re.compile(r"(?<![A-Z])P[BW]\s*\[\s*([^\x00-\x7f])")
_ACCENTS: Final = re.compile(r"[^\x00-\x7f]{2,}")
_BRACKET: Final = re.compile(r"[\[\]]")
_STUCK: Final = re.compile("[a-z](?=[^\x00-\x7f])|(?<=[^\x00-\x7f])[a-z]")
_MIXED: Final = re.compile(r"[A-Za-z][\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z]")
_CAPITALS_INSIDE: Final = re.compile(r"(?<=[^\W\d_])[^\W\x00-\x7f]")
_SIGNS: Final = frozenset("«»°·’‘“”„–—…§©®¿¡ªº´№ \u00a0")
_VALUE: Final = re.compile(r"\[[^\\\]]*(?:\\.[^\\\]]*)*(?:\]|\\?\Z)", re.DOTALL)


def likelihood(data: bytes, codec: str) -> float:
    """Return how likely a text is under an encoding, as a logarithm; comparable for the same bytes only."""
    text = data.decode(codec, "replace")
    weigh = _asian(codec) if codec in ASIAN else _single(codec)
    once = "".join(dict.fromkeys(_BRACKET.split(text)))  # a name that stands everywhere says no more than once
    found = sum(count * weigh[c] for c, count in Counter(once).items())
    if codec in ASIAN:
        surnames, frequent = _first(codec), weigh
        found += sum(surnames.get(c, frequent[c] - 1.5) - frequent[c] for c in _FIRST.findall(text))
        found += _RANK * len(_RANKS.findall(text))
        found -= 6 * len(_STUCK.findall(text))
        found -= list(ASIAN).index(codec)
    elif codec != "utf-8":
        if codec in ("cp1252", "cp1250"):
            found += _NEIGHBOUR * sum(len(run) - 1 for run in _ACCENTS.findall(text))
        found += _OTHER * len(_MIXED.findall(text))
        found += _MISPLACED * sum(c.isupper() for c in _CAPITALS_INSIDE.findall(text)) + SINGLE.get(codec, -7.0)
    return found + _UNPAIRED * unpaired(text)


def unpaired(text: str) -> int:
    """Count the brackets and backslashes of an SGF text that stand where none should: the sign of a wrong encoding."""
    inside = sum(m[0].count("[") - m[0].count("\\[") - m[0].endswith("]") for m in _VALUE.finditer(text))
    return inside + len(re.findall(r"[\[\]\\]", _VALUE.sub("", text)))


class _Weights(dict[str, float]):
    """Logarithms of probabilities; those of characters that have not come yet are found by their place in a code."""

    def __init__(self, codec: str, known: Iterable[tuple[str, float]]) -> None:
        super().__init__(known)
        self._codec = codec

    def __missing__(self, c: str) -> float:
        weight = self[c] = _ASCII if c < "\x80" else self._of(c)
        return weight

    def _of(self, c: str) -> float:
        if c == "\ufffd":
            return _DAMAGED
        if "\ue000" <= c <= "\uf8ff" or "\x80" <= c < "\xa0":
            return _PRIVATE
        if self._codec not in ASIAN:
            return _UNKNOWN if self._codec == "utf-8" and c > "\u2e7f" else _of_alphabet(c)
        if "\uff61" <= c <= "\uff9f":  # katakana of one byte
            return _SIGN
        _, _, low, high, count = ASIAN[self._codec]
        raw = c.encode(self._codec, "replace")
        if len(raw) == 2 and low <= raw[0] <= high and (raw[1] > 0xA0 or self._codec in ("cp932", "cp950")):
            return log(_SHARES[1] / count)
        if raw[0] < low and raw[0] >= (0x81 if self._codec == "cp932" else 0xA1):
            return _WIDE_MARK
        extended = self._codec in ("gb18030", "cp949") and (raw[0] < 0xA1 or raw[-1] < 0xA1)
        return _BEYOND if extended or len(raw) != 2 else _SECOND_PLANE


@cache
def _asian(codec: str) -> _Weights:
    _, frequent, *_ = ASIAN[codec]
    return _Weights(codec, _shared(frequent, codec))


@cache
def _first(codec: str) -> dict[str, float]:
    return dict(_shared(ASIAN[codec][0], codec))


def _shared(characters: str, codec: str) -> list[tuple[str, float]]:
    """Share the probability of frequent characters among those that an encoding has."""
    there = [c for c in dict.fromkeys(characters) if c.encode(codec, "ignore")]
    return [(c, log(_SHARES[0] / len(there))) for c in there]


@cache
def _single(codec: str) -> _Weights:
    return _Weights(codec, ())


def _of_alphabet(c: str) -> float:
    if c.lower() in _ACCENTED or (c.isalpha() and ("\u0386" <= c <= "\u044f" or "\u05d0" <= c < "\u0e80")):
        return _CAPITAL if c.isupper() else _SMALL
    return _SIGN if c in _SIGNS else _OTHER
