"""First names: which are short for which, and which are known to be first names at all, in normal form.

Common in English- and German-speaking companies; a name that is missing here is told from others by its letters alone.
Knows no documents. Try: python -c "from facts.first_names import GROUPS; print(GROUPS['bob'])"
"""

_NICKNAMES = """
abigail abby gail | alexander alex sasha sandy xander lex | alexandra alex sandra sasha lexi | alfred alf fred
freddie | andreas andi andy | andrew andy drew | angela angie | anthony tony | anton toni | antonia toni | arthur
art | barbara barb babs | benjamin ben benny | bernard bernie | bernhard bernd | bridget biddy bridie | caroline
carrie caro | catherine cathy kate katie cate cat | charles charlie chuck chas | charlotte lottie charlie |
christian chris | christina chris tina chrissy | christine chris tina chrissy | christopher chris kit | cynthia
cindy | daniel dan danny | daniela dani | david dave davy | deborah deb debbie | dominic dom | donald don donnie |
dorothy dot dottie | edward ed eddie ted ned | eleanor ellie nell nora | elisabeth lisa lisbeth elli sissi |
elizabeth elisabeth liz lizzie beth betty eliza libby | emily em emmy | eugene gene | florian flo | frances fran
franny | francis frank | franziska franzi | frederick fred freddie | friedrich fritz | gabriel gabe | gabriele gabi
| geoffrey geoff jeff | georg schorsch | george georgie | gerald gerry jerry | gregory greg | günther guenter |
harold hal harry | heinrich heinz heiner | helena lena | henry harry hank | isabella bella izzy | jacob jake |
jacqueline jackie | james jim jimmy jamie | janet jan | jennifer jen jenny | jeremy jem | jessica jess jessie |
johannes hannes hans | john johnny jack | jonathan jon jonny | josef sepp | joseph joe joey | joshua josh | judith
judy jude | julia julie jule | karl kalle | katharina kathi katja kati | katherine kathy kate katie kat kitty |
kenneth ken kenny | kimberly kim | lawrence larry | leonard leo len lenny | leonardo leo | louis lou louie | louise
lou | madeleine maddie | manfred manni | margaret maggie meg peg peggy margie greta | margarete grete gretel |
martin marty | matthew matt matty | matthias matze | maximilian max | megan meg | melanie mel | melissa mel lissa |
michael mike mick mickey michi | michelle shelly | mikhail misha | nathan nate | nathaniel nate nat | nicholas nick
nicky | nikita nik | nikolaus klaus niko | oliver ollie | pamela pam | patricia pat patty trish tricia | patrick pat
paddy | peter pete | philip phil pip | rachel rach | raymond ray | rebecca becca becky | richard rick dick rich
richie | robert rob bob bobby robbie bert | roderick rod | ronald ron ronnie | rosemary rosie | rudolf rudi |
samantha sam sammy | samuel sam sammy | sebastian seb basti | siegfried siggi | sophia sophie | stefan steffen |
stephanie steph steffi | stephen steve steven | susan sue susie | susanne susi | suzanne sue suzie | terence terry |
theodore theo ted | theresa terry tess tessa | thomas tom tommy | timothy tim timmy | tobias tobi | ulrich uli |
ursula uschi | valentina val tina | valerie val | veronica ronnie | victor vic | victoria vicky tori | vincent vince
vinny | vladimir vova volodya | walter walt wally | wilhelm willi | william will bill billy liam | wolfgang wolf |
yevgeny zhenya | zachary zach zack
"""
_OTHERS = """
aaron adam adrian ahmed aisha alan albert alice alicia alina alistair amanda amelia amir amy ana andre andrea angel
anita anja ann anna anne annette annika arjun asha astrid ava axel bastian beatrice bianca birgit björn boris
brandon brian bruno camila carl carla carlo carlos carmen carol cecilia chiara chloe claire clara clare claudia
claudio colin craig dana daria deepak denise dennis derek diana diego dieter dimitri dmitri dylan elena elias elisa
ella ellen elsa emil emilia emma eric erica erik erika erin ernst esther ethan eva eve evelyn fabian fatima felix
fiona francesca francesco gavin georgia georgina giulia giulio grace graham gustav hanna hannah hassan heather heidi
helen helene helga hugo ian igor ilona ilya imran ines ingrid irene iris isaac isabel ivan ivana jana jane janine
jasmin jason javier jean jeanne jens joan joanna jodie johan johanna jordan jorge jose josephine juan julian juliana
juliane juliet julius june justin karen karim karin karla katrin keith kevin klara konrad kurt kyle lara lars laura
lauren laurence lea leah leila leon leonie lia lily linda lionel lorenz lorna lotte luca lucas lucia lucy luis luisa
luise lukas luke lydia marc marcel marcia marco marcus margot maria marie marina mario marion marissa mark markus
marlene marta martha martina mary mason mateo maya meera mehmet mia mila mira miranda miriam mohammed moira mona
monica monika moritz nadia naomi natalia natalie nathalie neil nicola nicole nikhil nils nina noah noel noor olaf
ole olga olivia omar oscar owen paola paolo paul paula paulina pauline pavel pedro petra philippa pia pierre priya
rafael rahul ralf ravi regina renate rene renee rita roberta roberto robin roger roland roman rosa rose ruth ryan
sabine sabrina sadia salma sanjay sara sarah scott sean sharon sheila silke silvia simon simone sofia sonja stella
stuart sven sylvia tamara tanja tanya tara tariq tatiana thea tilda tobin todd tomas tracy ulrike uma uwe vanessa
vera viktor viktoria viola vivian wanda wendy werner xavier yara yasmin yuki yusuf zara zoe
"""
GROUPS: dict[str, set[int]] = {}
"""The groups that a name stands in; two names that share one may be one person's."""
FORMAL: dict[str, set[str]] = {}
"""A name -> what it may be short for, the first of each of its groups: "kate" -> "catherine", "katherine"."""
for _number, _group in enumerate(_NICKNAMES.split("|")):
    for _name in _group.split():
        GROUPS.setdefault(_name, set()).add(_number)
        FORMAL.setdefault(_name, set()).add(_group.split()[0])
GIVEN = frozenset(GROUPS) | frozenset(_OTHERS.split())
"""All that are known."""
