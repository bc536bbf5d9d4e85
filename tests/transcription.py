"""The rule sets as their Chinese sources state them: a transcription made from the texts alone.

Every value carries the words of the source, or the id of the ruling (R01..R46) that settles what the source
leaves open. ``None`` means that neither says anything. Sources: 000, 001, 002, 003.

Prices and points are in the unit that the source uses: base points (maima, tuidaohu), the example's units
(jiandan), yuan of the 10/20 game (zhuama), fans (jipinghu, xinzhang, guigang), multiples of the smallest hand
(huapai, where flowers and kongs are in the stakes' units), 点 (koukoufan), 分 (lisi).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Way = Literal["zimo", "dianpao", "qianggang"]
Form = Literal["standard", "seven_pairs", "thirteen_orphans"]
Kind = Literal["item", "double", "pattern", "extra", "special", "floor"]
Method = Literal["items_times_doubles", "power_of_two", "fixed_price"]

ANY_WAY: tuple[Way, ...] = ("zimo", "dianpao", "qianggang")


class Price(NamedTuple):
    """Value of one pattern and what kind it is; ``pattern`` counts within the cap, ``special`` beyond it."""

    value: int | None
    kind: Kind


@dataclass(frozen=True)
class Rob:
    """Who pays for a robbed kong, how many shares, and whether the rob counts as a self-draw."""

    payer: Literal["robbed", "each"] | None
    shares: int | None
    as_zimo: bool | None


@dataclass(frozen=True)
class Liability:
    """Cases in which one player pays a self-draw for all three."""

    gangkai_after_direct: bool | None
    twelve_tiles: bool | None
    big_dragons_winds: bool | None


@dataclass(frozen=True)
class Kongs:
    """Price of a kong, per payer (the feeder's whole payment where the feeder alone pays)."""

    direct: int | None
    direct_payer: Literal["feeder", "each"] | None
    added: int | None
    concealed: int | None
    kept_on_draw: bool | None


@dataclass(frozen=True)
class Horses:
    """Horses: held by each player from the start, or drawn by the winner; ``groups`` counts on from the origin."""

    mode: Literal["held", "drawn"] | None
    count: tuple[int, ...] | None
    groups: tuple[str, str, str, str] | None
    origin: Literal["winner", "dealer", "last_winner"] | None
    origin_several: Literal["discarder"] | None
    price: int | Literal["copy"] | None
    on_rob: bool | None


@dataclass(frozen=True)
class Ghost:
    """Modes that the source offers (the first is its default) and the order of the honours when one is turned."""

    modes: tuple[Literal["none", "fixed_white", "turned"], ...]
    honours: str | None
    may_discard: bool | None


@dataclass(frozen=True)
class Coins:
    """Loser -(X * room + fee), winner X * losers * room - fee; the values are those of the source's example."""

    room: int
    fee: int


@dataclass(frozen=True)
class Beyond:
    """What only the fragments of other provinces name; the defaults are everybody else's: no such rule."""

    multiples: dict[str, float] = field(default_factory=dict)  # of winner and loser: 自摸, 放冲, 开口, 暗杠, 明杠
    opened_each: bool = False  # for each opened meld
    most_lost: int = 0  # by each player, in the smallest hand's points
    most_lost_by_all: int = 0  # by each when all three lose more than that
    barred: str = ""  # tiles whose holder cannot win
    hard_as_itself: bool = False  # 硬胡 also with ghosts that are konged or themselves
    feeder_of_quanqiuren: bool = False  # pays for all three when not ready
    standing: int = 0  # first tiles that stand apart
    declared: bool = False  # only who has declared ready wins
    stacks_kept: int = 0  # of two tiles
    stacks_for_each_further_kong: int = 0
    half_stack_kept: bool = False
    passed_peng: bool = False  # a passed peng blocks until the next draw


@dataclass(frozen=True)
class Transcription:
    """One rule set. ``tiles`` and ``minimum`` list the source's options, the default first."""

    slug: str
    tiles: tuple[str, ...]
    chi: bool | None
    zimo: bool | None
    dianpao: bool | None
    qianggang: bool | None
    chicken_ways: tuple[Way, ...] | None
    forms: tuple[Form, ...]
    minimum: tuple[int, ...] | None
    several_winners: Literal["all", "nearest", "biggest", "from_dealer"] | None
    cap: int | None
    method: Method
    patterns: dict[str, Price]
    chicken_raised: int | None
    zimo_payer: Literal["each"] | None
    dianpao_payer: Literal["discarder", "each"] | None
    rob: Rob
    liability: Liability
    kongs: Kongs
    horses: Horses | None
    next_dealer: Literal["winner", "next_seat"] | None
    dealer_among_winners_keeps: bool | None
    dealer_on_draw: Literal["dealer", "next_seat_after_a_kong"] | None
    ghost: Ghost
    flower: int | None
    coins: Coins | None
    passed_win: Literal["same_tile", "rest_of_hand"] | None
    first_dealer: Literal["random"] | None = None
    beyond: Beyond = field(default_factory=Beyond)


NO_GHOST = Ghost(("none",), None, None)  # for sources that name no 鬼 or 赖子

# 000, first section 广东麻将基本规则 (a second copy, 广东麻将规则, stops at 豪华七对: no difference in numbers).
MAIMA = Transcription(
    slug="maima",
    tiles=("136",),  # "用牌新增了：东南西北中发白"
    chi=False,  # "可以碰、杠，不可以吃"
    zimo=True,  # "【自摸】2倍"
    dianpao=True,  # "可以点炮胡、抢杠胡、一炮多响"
    qianggang=True,  # same
    chicken_ways=("zimo", "qianggang"),  # "鸡只能自摸、抢杠胡、不能点炮胡"; R25: nor with 杠上炮
    # "四个刻子或顺子加对子", "【七对】由七个对子组成"; 十三幺 is in no row.
    forms=("standard", "seven_pairs"),
    minimum=None,
    several_winners="all",  # "一炮多响"; R23
    cap=None,  # none is named
    method="items_times_doubles",  # "（番型1+番型2+...）X翻倍X底分"
    patterns={
        "chicken": Price(2, "item"),  # "【鸡胡】2倍"
        "pengpeng": Price(8, "item"),  # "【碰碰胡】8倍"
        "hunyise": Price(8, "item"),  # "【混一色】8倍"; R02: independent items add, implied ones drop
        "qianggang": Price(8, "item"),  # "【抢杠胡】8倍，胡其他人补杠的那张牌"
        "gangkai": Price(8, "item"),  # "【杠上开花】8倍，杠牌后，补张自摸胡牌"
        "gangpao": Price(8, "item"),  # "【杠上炮】8倍，杠牌后，打出的牌造成其他玩家点炮胡牌"
        "haidi": Price(8, "item"),  # "【海底捞月】8倍，摸到牌墙中的最后一张牌胡牌"
        "qingyise": Price(16, "item"),  # "【清一色】16倍"
        "seven_pairs": Price(16, "item"),  # "【七对】16倍"
        "luxury_seven_pairs": Price(32, "item"),  # "【豪华七对】32倍 ... 其中有一组四张牌 ... 不计1根"; R24
        "hunyaojiu": Price(32, "item"),  # "【混幺九】32倍，全部由1、9序数牌+字牌组成"
        "zimo": Price(2, "double"),  # "翻倍【自摸】2倍"
        "yinghu": Price(2, "double"),  # "【硬胡】2倍，胡牌时，手牌中没有赖子牌"
    },
    # "当杠上开花、抢杠胡、海底捞月时，鸡胡为8倍"; R01: 8 in total, R37: 8 more for each further event.
    chicken_raised=8,
    zimo_payer="each",  # implied by "由输分玩家支付" and 自摸
    dianpao_payer="discarder",  # implied by 放炮者
    rob=Rob("robbed", 1, False),  # R03 (payer, one share), R35 (自摸 x2 does not count)
    liability=Liability(False, None, None),  # R11: off
    kongs=Kongs(
        direct=3,  # "点杠，收取放杠者3倍低分"
        direct_payer="feeder",  # same
        added=1,  # "补杠，收取其他玩家1倍低分"
        concealed=2,  # "暗杠，收取其他玩家2倍低分"
        kept_on_draw=True,  # "杠牌直接输赢"; R08
    ),
    horses=Horses(
        mode="held",  # "每局开始4个玩家都随机获得1-2张牌，为马牌"; R06: they leave the wall, hidden
        count=(1, 2),  # same; "不同场次，马牌张数会略有不同"
        # "赢家 1、5、9 东风 / 下家 2、6、南风、红中 / 对家 3、7、西风、发财 / 上家 4、8、北风、白板"
        groups=("159E", "26SZ", "37WF", "48NB"),
        # "已胡牌玩家为起点". Against "由庄家决定买马点数顺序" (rule 2): R04 chooses the winner.
        origin="winner",
        origin_several="discarder",  # "一炮多响时，从放炮者开始"; R04
        price="copy",  # "这张马牌也赢1份 ... 也输1份"; "杠牌不计入马牌"; R29
        on_rob=None,
    ),
    next_dealer="winner",  # R09 (source only: "庄家胡牌或者流局继续坐庄")
    dealer_among_winners_keeps=None,
    dealer_on_draw="dealer",  # "庄家胡牌或者流局继续坐庄"
    # "翻出牌墙中的第一张牌，这张牌点数+1即为本局赖子牌"; "赖子牌不能打出"; honours: R07.
    ghost=Ghost(("turned",), "ESWNZFB", False),
    flower=None,
    coins=None,
    passed_win="same_tile",  # R18
)

# 000, 简单麻将(广东)规则. The price table is "计数（2为例一局计量数）自摸：2明杠：3暗杠：码：2": no payers, 暗杠 blank.
JIANDAN = Transcription(
    slug="jiandan",
    tiles=("136",),  # not stated; honours are named ("三个东风", the 码), flowers only as "除了花以外"
    chi=True,  # "当上家打出的牌 ... 可以选择吃牌"
    zimo=True,  # "自摸：2"
    dianpao=True,  # "如果不出现吃，碰，杠，抢杠，胡，则系统会自动摸牌": 胡 on another's tile; R30
    qianggang=True,  # same words: "抢杠"
    chicken_ways=None,  # no pattern is named, so none is restricted
    forms=("standard",),  # "三，三，三，三，二的形状"; R15: no seven pairs
    minimum=None,
    several_winners="all",  # R23 names robbers of one kong only; several on one discard are open
    cap=None,
    method="fixed_price",
    patterns={
        "chicken": Price(2, "item"),  # "自摸：2", every hand alike
    },
    chicken_raised=None,
    zimo_payer="each",  # R30
    dianpao_payer="discarder",  # R30: 2 from the discarder
    rob=Rob("robbed", 3, None),  # R30
    liability=Liability(False, None, None),  # R11: off
    kongs=Kongs(
        direct=3,  # "明杠：3" (both 明杠1 and 明杠2); R30: 3 in total
        direct_payer="feeder",  # R30
        added=1,  # R30: the 3 are 1 from each
        concealed=2,  # "暗杠：" is blank; R30
        kept_on_draw=None,  # R08 names maima and zhuama only
    ),
    horses=Horses(
        mode="drawn",  # R30; the source has only the map and the price
        count=(2,),  # R30
        # "庄家：1，5，9，东，中 / 2家：2，6，南，发 / 3家：3，7，西，白 / 4家：4，8，北"
        groups=("159EZ", "26SF", "37WB", "48N"),
        origin="dealer",  # "庄家：1，5，9"
        origin_several=None,
        price=2,  # "码：2"; R30: from each payer
        on_rob=None,
    ),
    next_dealer="winner",  # R30 (R09 does not name this rule set)
    dealer_among_winners_keeps=None,
    dealer_on_draw=None,
    ghost=NO_GHOST,
    flower=None,
    coins=None,
    passed_win="same_tile",  # R18
)

# 000, 广东德国麻将规则 and 广东麻将通用规则大全 (three copies; the longest ends at "杠杠者得30元").
ZHUAMA = Transcription(
    slug="zhuama",
    tiles=("136",),  # implied: "A共40皮马，BCD分别32皮马" add up to 136
    chi=False,  # "一般玩法是不吃牌，只碰牌"
    zimo=True,  # "只自摸"
    dianpao=False,  # "不平胡，不包庄只自摸"; R31
    # Against "只自摸": "只有明杠才会被抢", 明杠 being "碰了牌，后来又抓来了一只". "你虽然要杠但还没有抓尾，他如抢你，
    # 你可以不认账" contradicts it again: R32, a rob at the announcement counts.
    qianggang=True,
    chicken_ways=None,  # no pattern is named; R31: 不平胡 bars the discard, not the 鸡胡
    forms=("standard",),  # R15: no seven pairs
    minimum=None,
    several_winners="all",  # R23, robbers of one kong
    cap=None,
    method="fixed_price",
    patterns={
        # "中一只加上胡牌，每人给你40元，中2只 ... 60元" in "10元20元的麻将": 20 for the hand, 20 for a horse. Against
        # "中一匹马就加一番", if a fan were a doubling (40, 80): the example is followed.
        "chicken": Price(20, "item"),
    },
    chicken_raised=None,
    zimo_payer="each",  # "每人给你40元"
    dianpao_payer=None,
    # "抢杠后所有费用都有被抢人出"; "杠杠者要给抢杠者60元一扣钱": three times 20, one 自扣.
    rob=Rob("robbed", 3, True),
    # R11: off, although "包杠" stands in the list of kongs without a rule; "不包庄" for the others.
    liability=Liability(False, None, None),
    kongs=Kongs(
        direct=30,  # R10; the source prices 明杠 only, which it defines as the added kong
        direct_payer="feeder",  # R10
        added=10,  # "一个明杠每人出10元钱，杠杠者得30元"
        concealed=20,  # "其他三人每人给你20元"
        kept_on_draw=True,  # "不管你有没有胡牌都收杠子钱"; R08
    ),
    horses=Horses(
        mode="drawn",  # "当一局下来胡牌人要抓几匹马"; R06: from the wall, what is left if too few
        count=None,  # "数量开玩前定好"
        # "A-1\B-2\C-3\D-4\A-5\B-6\C-7\D-8\A-9\B-中\C-发\D-白板\A-东\B-南\C-西\D-北"
        groups=("159E", "26ZS", "37FW", "48BN"),
        origin="last_winner",  # "前一局胡牌人为1子马"; R34: on the first hand the dealer
        origin_several=None,
        price=20,  # see the hand's price: 40 - 20 = 60 - 40 = 20 from each
        on_rob=None,  # "抢杠抓不抓马就是开玩时大家定了"
    ),
    next_dealer="winner",  # R09
    dealer_among_winners_keeps=None,
    dealer_on_draw=None,  # R34 settles the horses' seat after a draw only
    ghost=NO_GHOST,
    flower=None,
    coins=None,
    passed_win="same_tile",  # R18
)

# 000, 鸡平胡 (the copy with the tables); 002 and 003 repeat the text without the tables' numbers.
JIPINGHU = Transcription(
    slug="jipinghu",
    tiles=("136",),  # "共一百三十六张 ... 没有梅、兰、竹、菊、春、夏、秋、冬"
    chi=True,  # "有权力吃或碰那张牌"
    zimo=True,  # "自摸+1番"
    dianpao=True,  # "允许一炮多响"
    qianggang=True,  # "明刻开明杠，可以被抢杠胡"
    chicken_ways=ANY_WAY,  # "什么牌都可以胡，可吃碰杠"
    forms=("standard", "thirteen_orphans"),  # "十三幺 6 64"; R15: no seven pairs
    minimum=(0,),  # "鸡胡0 1 什么牌都可以胡"
    several_winners="all",  # "允许一炮多响"
    cap=3,  # "设定爆胡为3番"
    method="power_of_two",  # "番是2倍的意思"
    patterns={
        "chicken": Price(0, "pattern"),  # "鸡胡0 1"
        "pinghu": Price(1, "pattern"),  # "平胡 1 2 全部都是顺子没有刻子"; R21: the pair may be an honour
        "pengpeng": Price(2, "pattern"),  # "碰碰胡 2 4"
        "hunyise": Price(2, "pattern"),  # "混一色 2 4"; R36: of two patterns the highest
        "qingyise": Price(4, "special"),  # "清一色 4 16"
        "hunpeng": Price(4, "special"),  # "混碰 4 16 混一色+ 碰碰胡"
        "qingpeng": Price(5, "special"),  # "清碰 5 32 清一色+ 碰碰胡"
        "hunyaojiu": Price(5, "special"),  # "混幺九 5 32"
        "xiaosanyuan": Price(5, "special"),  # "小三元 5 32"
        "xiaosixi": Price(5, "special"),  # "小四喜 5 32"
        "ziyise": Price(6, "special"),  # "字一色 6 64"
        "qingyaojiu": Price(6, "special"),  # "清幺九 6 64"
        "dasanyuan": Price(6, "special"),  # "大三元 6 64"
        "dasixi": Price(6, "special"),  # "大四喜 6 64"
        "jiulian": Price(6, "special"),  # "九莲宝灯 6 64 同种牌形成1112345678999"; R16
        "thirteen_orphans": Price(6, "special"),  # "十三幺 6 64"
        "tianhu": Price(6, "special"),  # "天和 ... 按6番计算"
        "renhu": Price(6, "special"),  # "人和 ... 按6番计算"; R17
        "dihu": Price(6, "special"),  # "地和 ... 按6番计算"; R17
        "zimo": Price(1, "extra"),  # "在爆胡以内自摸+1番，爆胡以外不加番"
        "seat_wind": Price(1, "extra"),  # "拿到本盘门风的刻子，+1番"; R13
        "round_wind": Price(1, "extra"),  # "拿到该风圈局的刻子，+1番"
        "dragon_1": Price(1, "extra"),  # "任意一个刻子为1番"
        "dragon_2": Price(2, "extra"),  # "两个刻子为2番"
        "triple_win": Price(3, "floor"),  # "一炮三响 ... 不满3番牌型，按照3番满计算"
        "gangkai": Price(3, "floor"),  # "杠上开花：不满3番牌型，按照3番满计算"
        "haidi": Price(3, "floor"),  # "海底捞月 ... 不满3番牌型，按照3番满计算"
        "qianggang": Price(3, "floor"),  # "抢杠者牌型不满3番牌型，按照3番满计算"
    },
    chicken_raised=None,
    zimo_payer="each",  # the example: "失败玩家B、C、D各消耗"
    dianpao_payer="discarder",  # implied: "点炮者包三家" of three winners; R12: each winner's X
    rob=Rob("robbed", 3, True),  # "抢杠胡等同杠开，当自摸，被抢杠者（欲开杠者）包三家牌"
    liability=Liability(
        gangkai_after_direct=True,  # "开暗刻明杠补牌后胡牌，计自摸，点杠者包三家牌"; R11
        twelve_tiles=True,  # "十二张落地包自模，包先不包后"
        big_dragons_winds=True,  # "大四喜 ... 大三元 ... 需承担包自模的责任"
    ),
    kongs=Kongs(0, None, 0, 0, None),  # R14: kongs are not paid
    horses=None,
    next_dealer="next_seat",  # "非庄家胡牌则下一盘由庄家的下家玩家做庄"; R09
    dealer_among_winners_keeps=True,  # "一炮多响包括庄家在内胡牌，下一轮庄家继续当庄"
    dealer_on_draw="dealer",  # "庄家胡牌或和牌（流局）则下盘依然由该庄家做庄"
    ghost=NO_GHOST,
    flower=None,
    coins=Coins(room=600, fee=250),  # "X* N+A", "X*P*N－A"; "N（房间系数）＝600 ... A为250"
    passed_win="same_tile",  # "玩家A是不能胡那一张的 ... 当有动牌后 ... 解除"; R18
    first_dealer="random",  # "第一盘庄家由系统随机分配风位，东风位玩家为庄家"
)

# 001, top (all the numbers; labels of the extras lost), and 000, 广东新麻将 (cut off after 混碰).
XINZHANG = Transcription(
    slug="xinzhang",
    tiles=("136",),  # not stated; winds and dragons are named, no flowers
    chi=True,  # "当上家打出的牌 ... 可以选择吃牌"
    zimo=True,  # "自摸+1番三家付"
    dianpao=True,  # "打出一张玩家A可以胡的牌"
    qianggang=True,  # "如果不出现吃碰，杠抢杠，胡"; the row "同杠开当自摸"
    chicken_ways=ANY_WAY,  # "什么牌都可以和，就像推倒和规则"
    forms=("standard", "thirteen_orphans"),  # "十三幺 9 512"; R15: no seven pairs
    minimum=(0, 1, 3),  # "3番起和、1番起和、无番起和" (no default is named); R19: extras count towards it
    several_winners="all",  # R23
    cap=5,  # 000: "设定爆和为5番"
    method="power_of_two",  # "1番即在此基数点上*2，2番即在1番的基础上*2"
    patterns={
        "chicken": Price(0, "pattern"),  # "鸡糊 0 1"
        "pinghu": Price(1, "pattern"),  # "平胡 1 2"
        "pengpeng": Price(3, "pattern"),  # "碰碰胡 3 8"
        "hunyise": Price(3, "pattern"),  # "混一色 3 8"
        "hunpeng": Price(5, "pattern"),  # "混碰 5 32", in the table "爆和（封顶）以内"
        "qingyise": Price(5, "pattern"),  # "清一色 5 32", same table
        "qingpeng": Price(6, "special"),  # "清碰 6 64"
        "hunyaojiu": Price(6, "special"),  # "混幺九 6 64"
        "xiaosanyuan": Price(7, "special"),  # "小三元 7 128"
        "xiaosixi": Price(7, "special"),  # "小四喜 7 128"
        "ziyise": Price(8, "special"),  # "字一色 8 256"
        "qingyaojiu": Price(8, "special"),  # "清幺九 8 256"
        "dasanyuan": Price(9, "special"),  # "大三元 9 512"
        "dasixi": Price(9, "special"),  # "大四喜 9 512"
        "thirteen_orphans": Price(9, "special"),  # "十三幺 9 512"
        "tianhu": Price(9, "special"),  # label lost: "庄家起牌后即成和牌牌型；当十三幺计算9番，三家付"
        "renhu": Price(9, "special"),  # label lost: "庄家打出的第一张牌，闲家吃和；当十三幺计算，9番庄家付"
        "dihu": Price(9, "special"),  # label lost: "第一圈里闲家自摸的第一张牌和牌。当十三幺计算9番"
        "zimo": Price(1, "extra"),  # "在爆和以内自摸+1番三家付；爆和以外不加番"
        "seat_wind": Price(1, "extra"),  # "与本人座位的风向相同，+1番"; R13
        "round_wind": Price(1, "extra"),  # "与本圈风向相同+1番"
        "dragon_1": Price(1, "extra"),  # "任意一刻子为1番"
        "dragon_2": Price(2, "extra"),  # "两个刻子为两番，三个刻子不是3番牌哦是大三元牌"
        "menqing": Price(1, "extra"),  # label lost: "爆和内+1番；不碰不上"
        # Label lost: "最后一张牌自摸爆和内+1番，当自摸三家付", read as 1 besides the 1 of 自摸; it may mean
        # that 1 alone.
        "haidi": Price(1, "extra"),
        "gangkai": Price(1, "extra"),  # label lost: "+自摸，+1番（爆和及以上不加番）"
        "qianggang": Price(0, "extra"),  # label lost: "同杠开当自摸，不加+1番"; R33: 自摸 +1 stays
    },
    chicken_raised=None,
    zimo_payer="each",  # "三家付"
    dianpao_payer="discarder",  # only for 人和: "庄家付"
    rob=Rob("robbed", 3, True),  # "同杠开当自摸 ... 包牌情况：由杠牌人付"; R33
    liability=Liability(
        gangkai_after_direct=True,  # "由打出杠牌的人包付三家帐"; R11
        twelve_tiles=True,  # "十二张落地包自模"
        big_dragons_winds=None,
    ),
    kongs=Kongs(0, None, 0, 0, None),  # R14
    horses=None,
    next_dealer="next_seat",  # R09
    dealer_among_winners_keeps=None,
    dealer_on_draw=None,
    ghost=NO_GHOST,
    flower=None,
    coins=None,
    passed_win="same_tile",  # "玩家A是不能胡那一张的"; R18
    first_dealer="random",  # "先随机安排调整座位然后由东风位方向选择庄家"
)

# 000, 广东麻将新版规则 (cut off after the first extra).
GUIGANG = Transcription(
    slug="guigang",
    tiles=("136",),  # "共一百三十六张 ... 没有梅、兰、竹、菊、春、夏、秋、冬"
    chi=True,  # "可摸牌，可碰，可杠，可胡，可吃，只有下家有权利吃牌"
    zimo=True,  # "自摸在爆胡以内自摸+1番"
    dianpao=True,  # implied: "可胡", 自摸 being an extra
    qianggang=None,  # cut off
    chicken_ways=ANY_WAY,  # "什么牌都可以胡，可吃碰杠"
    forms=("standard", "seven_pairs", "thirteen_orphans"),  # "七对胡 5 32 由七个对子构成", "十三幺 8 256"
    minimum=(0,),  # "什么牌都可以胡"; the smallest hand has 1 fan
    several_winners="all",  # R23
    cap=5,  # "设定爆胡为5番"
    method="power_of_two",  # "番是2倍意思"; 鸡胡 is 1 fan, 2 points
    patterns={
        "chicken": Price(1, "pattern"),  # "鸡胡 1 2"
        "pinghu": Price(2, "pattern"),  # "平胡 2 4"
        "hunyise": Price(3, "pattern"),  # "混一色 3 8"
        "pengpeng": Price(4, "pattern"),  # "碰碰胡 4 16"
        "qingyise": Price(5, "special"),  # "爆胡以外牌型 ... 清一色 5 32"
        "hunpeng": Price(5, "special"),  # "混碰 5 32"
        "seven_pairs": Price(5, "special"),  # "七对胡 5 32"
        # "小三元 6 64 清一色 + 碰碰胡" and "清碰 7 128 拿齐中、发、白三种三元牌，但其中一种是将": name against
        # description. R20: follow the description.
        "qingpeng": Price(6, "special"),
        "xiaosanyuan": Price(7, "special"),
        "hunyaojiu": Price(6, "special"),  # "混幺九 6 64"
        "xiaosixi": Price(7, "special"),  # "小四喜 7 128"
        "ziyise": Price(8, "special"),  # "字一色 8 256"
        "qingyaojiu": Price(8, "special"),  # "清幺九 8 256"
        "dasanyuan": Price(8, "special"),  # "大三元 8 256"
        "dasixi": Price(8, "special"),  # "大四喜 8 256"
        "jiulian": Price(8, "special"),  # "九莲宝灯 8 256"; R16
        "thirteen_orphans": Price(8, "special"),  # "十三幺 8 256" ("1，9万筒索各二张" is garbled)
        "zimo": Price(1, "extra"),  # "在爆胡以内自摸+1番，爆胡以外不加番"; the text ends here
    },
    chicken_raised=None,
    zimo_payer=None,
    dianpao_payer=None,
    rob=Rob(None, None, None),
    liability=Liability(False, None, None),  # R11: off
    kongs=Kongs(0, None, 0, 0, None),  # R14
    horses=None,
    next_dealer="next_seat",  # "非庄家胡牌则下一盘由庄家下家玩家做庄"; R09
    dealer_among_winners_keeps=None,
    dealer_on_draw="dealer",  # "庄家胡牌或和牌（流局）则下盘依然由该庄家做庄"
    ghost=NO_GHOST,
    flower=None,
    coins=None,
    passed_win="same_tile",  # R18
    first_dealer="random",  # "第一盘庄家由系统随机分派风位，东风位玩家为庄家"
)

# 000, 广东麻将规则 "一、简介" (three copies, one cut).
TUIDAOHU = Transcription(
    slug="tuidaohu",
    tiles=("136", "108"),  # "（带风）...合136张。不带风 ... 合108张" (its second "北" is 白)
    chi=False,  # "可以碰、杠，但不能吃"; 全求人 speaks of "吃碰明杠" all the same
    zimo=True,  # "胡牌只能自摸"
    dianpao=False,  # same
    qianggang=True,  # "又抓到这张牌开杠，如果另外三家已听牌，正好需要这张牌胡牌，即抢杠"; against "只能自摸"
    chicken_ways=("zimo", "qianggang"),  # as every hand
    forms=("standard", "seven_pairs"),  # "胡牌的基本牌型 (1)..(5)"; "广东麻将有7对子"
    minimum=None,
    several_winners="all",  # R23, robbers of one kong
    cap=None,
    method="items_times_doubles",  # not stated: only "基础分1"
    patterns={
        "chicken": Price(1, "item"),  # "小胡（即屁胡，基础分1）"
        "pengpeng": Price(None, "item"),  # "碰碰胡，全部都碰出来了"; no price follows any of these
        "quanqiuren": Price(None, "item"),  # "全求人，吃碰明杠过4次牌，手上留一张将牌成胡的"
        "ziyise": Price(None, "item"),  # "风一色（全是风牌包括发白）"
        "jiangyise": Price(None, "item"),  # "将一色（全是2、5、8）"
        "qingyise": Price(None, "item"),  # "清一色（全是条或万或筒）"
        "seven_pairs": Price(None, "item"),  # "广东麻将有7对子"
    },
    chicken_raised=None,
    zimo_payer=None,
    dianpao_payer=None,
    rob=Rob(None, None, None),
    liability=Liability(False, None, None),  # R11: off
    kongs=Kongs(None, None, None, None, None),
    horses=None,  # "特色玩法如买马", and no rule of it
    next_dealer="next_seat",  # "逆时针上家轮庄" contradicts itself; R09: 下家
    dealer_among_winners_keeps=None,
    dealer_on_draw="dealer",  # "庄家胡牌或者荒庄（流局）则继续做"
    # "可选有鬼或者没有鬼、白板做鬼、翻鬼". "按照东、南、西、北、红中、发财、白板的顺序" contradicts
    # "如果翻出北，跳过红中，发财是鬼"; "翻出白板，东是鬼". The examples are
    # followed: 红中 is never the ghost; a turned 红中 is left open.
    ghost=Ghost(("none", "fixed_white", "turned"), "ESWNFB", None),
    flower=None,
    coins=None,
    passed_win="same_tile",  # R18
)

# 000, 十句口诀; 003, section 一 (its 1、打法 is the same text, its 2、摸牌 and 3、庄家 are jipinghu's).
HUAPAI = Transcription(
    slug="huapai",
    tiles=("144",),  # "共一百四十四张 ... 梅、兰、竹、菊、春、夏、秋、冬这八个皆为花"; 003 section 二 lists 136
    chi=False,  # "其他家只能“碰”或者“杠”"; against 003 section 一 2: "下家 ... 有權力吃或碰"
    zimo=True,  # not stated; R26
    dianpao=True,  # "当玩家定胡时，可以吃任何一家出道你要的牌"
    qianggang=None,
    chicken_ways=None,
    forms=("standard", "thirteen_orphans"),  # "鸡胡、杂色、清一色、大哥、十三幺"; R15: no seven pairs
    minimum=None,
    several_winners="biggest",  # "只有胡大牌的一家才算胡 ... 截胡"; R23: ties to the nearest
    cap=None,
    method="fixed_price",  # "其他胡法就是按倍数计算"; multiples x c, c = 3: "第三个数是指最小的鸡胡是多少"
    patterns={
        "chicken": Price(1, "item"),  # R26
        "hunyise": Price(2, "item"),  # "杂色"; R26
        "qingyise": Price(4, "item"),  # R26
        "hunpeng": Price(8, "item"),  # "大哥"; R26 ("or better": higher hands are 大哥 too)
        "qingpeng": Price(8, "item"),  # same
        "ziyise": Price(8, "item"),  # same
        "thirteen_orphans": Price(16, "item"),  # R26
    },
    chicken_raised=None,
    zimo_payer="each",  # R26
    dianpao_payer="discarder",  # R26
    rob=Rob(None, None, None),
    liability=Liability(False, None, None),  # R11: off
    kongs=Kongs(
        direct=2,  # "1 2 3 ... 第二个数是共杠或者暗杠是多少"
        direct_payer="each",  # R26: each of three pays kongs
        added=2,  # same words
        concealed=2,  # same words
        kept_on_draw=None,
    ),
    horses=Horses(  # "有时候有些玩家还有买马这个玩法": an option
        mode="held",  # "看你拿到的麻将"
        count=None,
        groups=("159EZ", "26SF", "37WB", "48N"),  # R26: E S W N Z F B = 1..7; flowers (below) their number
        origin="dealer",  # "庄家为1，逆时针算起"
        origin_several=None,  # there is one winner
        price="copy",  # "拿与赢家一样的数 ... 他要出多少你就出多少"
        on_rob=None,
    ),
    next_dealer="winner",  # "上盘的赢家也就是这盘的庄家"; against 003 section 一 3 (下家): R09
    dealer_among_winners_keeps=None,
    dealer_on_draw="dealer",  # only 003 section 一 3: "流局）則下盤依然由該莊家做莊"
    ghost=NO_GHOST,  # "混(百搭)" stands in the tips only
    flower=1,  # "1 2 3 ... 第一个数是指花多少"; R26: each of three pays
    coins=None,
    passed_win="same_tile",  # R18
)

# 000, from "3）B抢杠胡，被抢的A承包" on (口口番; what came before is lost).
KOUKOUFAN = Transcription(
    slug="koukoufan",
    tiles=("136",),  # not stated; 红中 is named
    chi=None,  # "开口" does not say by what
    zimo=True,  # "自摸X1.5"
    dianpao=True,  # "放冲输点X1.5"
    qianggang=True,  # "B抢杠胡"
    chicken_ways=None,
    forms=("standard",),  # no form is named; 七对 neither
    minimum=None,
    several_winners="from_dealer",  # "一炮单响 ... 只能有一个胡牌者，以庄家逆时针为序"; R23
    cap=None,  # "封顶" is of what is lost
    method="items_times_doubles",  # "基础分（1或10）乘以输家自己番数乘以赢家番数"
    patterns={
        "chicken": Price(1, "item"),  # "基础分（1或10）"
        "quanqiuren": Price(10, "item"),  # "A放冲给B作全求人"; "如2个大胡基础分就是20"
        "yinghu": Price(2, "double"),  # "硬胡X2"
    },
    chicken_raised=0,  # "基础分（1或10）": not 1 + 10
    zimo_payer="each",  # "1家胡牌，3家输点"
    dianpao_payer="each",  # "没放冲的玩家依然输点"
    rob=Rob("robbed", 3, None),  # "B抢杠胡，被抢的A承包"; "承包人付出数二三家输分之和"
    liability=Liability(None, None, None),  # the second of three cases is lost
    kongs=Kongs(None, None, None, None, None),  # they multiply; nothing is said of payments at once
    horses=None,
    next_dealer=None,  # "不考虑庄闲因素" is of the points
    dealer_among_winners_keeps=None,
    dealer_on_draw=None,
    ghost=Ghost(("turned", "fixed_white"), None, None),  # "没有鬼、鬼被杠": which tiles is not said
    flower=None,
    coins=None,
    passed_win="same_tile",  # R18
    beyond=Beyond(
        # "自摸X1.5,放冲输点X1.5,开口X2,每暗杠X2 ... 每明杠X4"
        multiples={"zimo": 1.5, "feeder": 1.5, "opened": 2, "concealed_kong": 2, "exposed_kong": 4},
        opened_each=True,  # "口口翻：其他一样，但每开一次口就X2一次", in the plain game once
        most_lost=300,  # "上限每家300倍点数"
        most_lost_by_all=500,  # "如果3家都超过300倍点数则每家提至400倍点数 ... 在口口番中金顶设为500倍点数"
        barred="Z",  # "持有红中时不能胡牌"
        hard_as_itself=True,  # "没有鬼、鬼被杠、用本身花数胡的情况"
        feeder_of_quanqiuren=True,  # "A放冲给B作全求人，A没听牌，A承包"
    ),
)

# 001, the end (twice the same): 太原立四.
LISI = Transcription(
    slug="lisi",
    tiles=("136",),  # "无花牌的136张麻将"
    chi=False,  # "不可以吃牌,只能碰（杠）牌"
    zimo=True,  # "无论自摸或者放铳"
    dianpao=True,  # same
    qianggang=None,
    chicken_ways=None,
    forms=("standard",),  # "四副刻子或者顺子或者杠的组合加一对将", and no other
    minimum=None,
    several_winners="nearest",  # "从打牌者按逆时针方向，顺序在前者"
    cap=None,
    method="items_times_doubles",  # "+1分"
    patterns={
        "chicken": Price(None, "item"),  # what a hand is worth is not said
        "quemen": Price(1, "item"),  # "缺门 和牌时手中牌缺条筒，万3门中的一门 +1分"
    },
    chicken_raised=None,
    zimo_payer="each",  # "和牌者胜其他三家负"
    dianpao_payer="each",  # same
    rob=Rob(None, None, None),
    liability=Liability(None, None, None),
    kongs=Kongs(None, None, None, None, None),
    horses=None,
    next_dealer="next_seat",  # "闲家胡牌则庄家的下一家坐庄"
    dealer_among_winners_keeps=True,  # "庄家胡牌则庄家继续做庄"
    dealer_on_draw="next_seat_after_a_kong",  # "荒庄时若4人均无杠，则庄家继续坐庄；有杠则下家做庄"
    ghost=NO_GHOST,
    flower=None,
    coins=None,
    passed_win="rest_of_hand",  # "听牌后如果有人放铳不和,则此局无论自摸或者放铳均不可再和"
    first_dealer="random",  # "第一把系统随机选一个人做庄"
    beyond=Beyond(
        standing=4,  # "第一手抓的四张牌放在前面立着"
        declared=True,  # "必须报听才可以和牌"
        stacks_kept=7,  # "牌墙需保留最后7墩"
        stacks_for_each_further_kong=1,  # "1杠留7墩,2杠留8墩......依次类推"
        half_stack_kept=True,  # "杠完后留的单数海底牌不算一墩"
        passed_peng=True,  # "在自己未摸下一张牌的一圈内有多人打出同一张可碰牌时，不能弃先碰后"
    ),
)

# R26: a flower as a horse counts as its number (1..4, or 5..8: the same seat).
HUAPAI_FLOWER_SEATS = (0, 1, 2, 3, 0, 1, 2, 3)
HUAPAI_SMALLEST_HAND = 3  # c of the stakes "1 2 3"

TRANSCRIPTIONS: dict[str, Transcription] = {
    t.slug: t for t in (MAIMA, JIANDAN, ZHUAMA, JIPINGHU, XINZHANG, GUIGANG, TUIDAOHU, HUAPAI, KOUKOUFAN, LISI)
}
