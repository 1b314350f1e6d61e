"""Invented messages for tests of facts/extractors/talk.py: what each speaks of using now, and which decision it defies.

Of four rows the first two were open while the rules were written; of the others only the sums were read.
"""

WORLD = (
    *("Jenkins", "Buildkite", "Kafka", "RabbitMQ", "Redis", "PostgreSQL", "Mongo", "Oracle", "Travis", "Atlas 2"),
    *("Atlas 3", "yard-bus", "event-log", "notify", "billing", "legacy-maps", "Terraform", "Ansible", "Grafana", "S3"),
    *("Splunk", "flagboard", "Heroku", "Kubernetes", "old-ftp", "SAP", "Jira", "Trello", "plan_store", "Elasticsearch"),
)
"""What there is; other words that stand where a name may stand join nothing."""

USING = """
en|Jenkins|We still use Jenkins for the nightly build.
en|-|We used Jenkins back in 2019, it was slow.
en|Buildkite|Everything builds on Buildkite now.
en|-|Nothing of ours runs on Jenkins any more.
en|yard-bus|I'll add one more topic on yard-bus for the slot reminders.
en|-|Did anybody use yard-bus before 2020?
en|Kafka|Let's go with Kafka for this one.
en|-|Please don't use Kafka for this one.
en|Kafka|We moved from RabbitMQ to Kafka last week.
en|Redis|We are sticking with Redis until June.
en|-|Redis is down again, looking into it.
en|Jenkins|I have put the import on the old Jenkins box for now.
en|-|The import has left the Jenkins box.
en|Terraform,Ansible|We keep Terraform and Ansible for the old cluster.
en|-|I would not touch Oracle.
en|Atlas 2|The truck profiles will be built on Atlas 2, that is two days instead of ten.
en|-|We never used Atlas 2 in our team.
en|jenkins|we're keeping jenkins for release jobs, sorry
en|-|Is anything else still running on Jenkins?
en|Grafana|Use Grafana for new dashboards please.
en|-|Why did we ever use Splunk?
en|Splunk|My service still logs to Splunk.
en|-|I wonder whether anyone uses Splunk.
en|S3|The exports live in S3 since Monday.
en|-|We dropped S3 two years ago.
en|PostgreSQL|notify stores its queue in PostgreSQL.
en|-|Instead of Mongo we took something boring.
en|PostgreSQL|Instead of Mongo we take PostgreSQL.
en|Heroku|For the demo I deployed it to Heroku, nobody else has to know.
en|-|Heroku is gone for good, thanks everyone.
en|flagboard|The two switches are in flagboard now.
en|-|I read a nice article about Kubernetes.
en|Kubernetes|Our plan is to run billing on Kubernetes from March.
en|-|Back then we ran everything on Oracle.
en|Oracle|Oracle stays for another year, the contract is signed.
en|-|Oracle was a mistake.
en|old-ftp|The partner insists on old-ftp, so we go on using it: old-ftp it is.
en|-|Nobody should need old-ftp after today.
en|Jira|We track this in Jira.
en|-|No more Jira for me this year!
en|Trello|Our team prefers Trello, so we will keep using Trello.
en|-|If we used Trello, half of the team would leave.
en|Buildkite|We build on Buildkite, not Jenkins.
en|-|We stopped using Travis in May.
en|Elasticsearch|search relies on Elasticsearch for everything.
en|-|Elasticsearch used to be our only store.
en|plan_store|The new report reads from plan_store directly.
en|-|Has the report ever read from plan_store directly?
en|legacy-maps|I am leaving the customers on legacy-maps for now.
en|-|The history of legacy-maps is a sad one.
en|SAP|We decided to stay on SAP.
en|-|We decided to move off SAP.
en|event-log|mobile-sync goes first, it switches to event-log in April.
en|-|I can't find event-log in the catalogue.
en|Kafka|Just deployed the consumer, it talks to Kafka.
en|-|Kafka again... who broke it?
en|notify|The reminder mails go through notify.
en|-|Congratulations on the launch of notify!
en|Ansible|Why are we still using Ansible?
en|-|Ansible or Terraform, what do you prefer?
de|Jenkins|Wir nutzen weiter Jenkins für die Nachtläufe.
de|-|Früher haben wir Jenkins benutzt.
de|Buildkite|Die Pipeline läuft jetzt auf Buildkite.
de|-|Auf Jenkins läuft nichts mehr.
de|Kafka|Wir setzen für die Erinnerungen auf Kafka.
de|-|Bitte kein Kafka für so etwas.
de|Redis|Wir bleiben bis Juni bei Redis.
de|-|Läuft Redis noch irgendwo?
de|yard-bus|Ich hänge das neue Topic noch an yard-bus, das kennen wir.
de|-|Damals lief alles über yard-bus.
de|Oracle|Oracle behalten wir noch ein Jahr.
de|-|Oracle haben wir zum Glück abgeschafft.
de|PostgreSQL|Statt Mongo nehmen wir PostgreSQL.
de|-|Hat jemand schon einmal Mongo verwendet?
de|Atlas 2|Die Profile baue ich auf Atlas 2, das geht schneller.
de|-|Wir haben Atlas 2 nie verwendet.
de|S3|Die Exporte liegen seit Montag in S3.
de|-|Grafana ist gerade sehr langsam.
de|Grafana|Für neue Dashboards bitte Grafana verwenden.
de|-|Splunk brauchen wir nicht mehr.
de|SAP|Der Betriebsrat will, dass SAP bleibt.
de|-|Wir sind 2022 von SAP weg.
de|Terraform|Wir sind auf Terraform umgestiegen.
de|-|Wer hat eigentlich Terraform ausgesucht?
es|Jenkins|Seguimos usando Jenkins para las compilaciones.
es|-|Antes usábamos Jenkins.
es|Kafka|Vamos a usar Kafka para los recordatorios.
es|-|No usamos Kafka en este equipo.
es|Redis|Nos quedamos con Redis hasta junio.
es|-|¿Alguien usa Redis todavía?
es|Oracle|Mantenemos Oracle un año más.
es|-|Ya no queda nada en Oracle.
es|Buildkite|Todo corre en Buildkite desde ayer.
es|-|Dejamos de usar Travis en mayo.
es|PostgreSQL|Migramos de Mongo a PostgreSQL esta semana.
es|-|Hace años teníamos todo en Mongo.
es|yard-bus|Voy a poner el nuevo tema en yard-bus.
es|-|El yard-bus está caído otra vez.
fr|Jenkins|On utilise toujours Jenkins pour les builds.
fr|-|Avant, on utilisait Jenkins.
fr|Kafka|Nous passons à Kafka la semaine prochaine.
fr|-|Nous n'utilisons pas Kafka ici.
fr|Redis|On reste sur Redis jusqu'en juin.
fr|-|Qui utilise encore Redis ?
fr|Oracle|Nous gardons Oracle encore un an.
fr|-|Plus rien ne tourne sur Oracle.
fr|Buildkite|Tout tourne sur Buildkite depuis hier.
fr|-|À l'époque tout tournait sur Travis.
fr|PostgreSQL|Au lieu de Mongo, on prend PostgreSQL.
fr|-|J'ai lu un bon article sur Mongo.
fr|yard-bus|Je mets le nouveau sujet sur yard-bus, comme d'habitude.
fr|-|yard-bus est encore en panne.
zh|Jenkins|我们还在用 Jenkins 跑夜间构建。
zh|-|我们以前用过 Jenkins。
zh|Kafka|这个功能我们采用 Kafka。
zh|-|这里不要用 Kafka。
zh|Redis|六月之前继续使用 Redis。
zh|-|还有人用 Redis 吗？
zh|Oracle|Oracle 我们再保留一年。
zh|-|Oracle 已经下线了。
zh|Buildkite|现在所有流水线都跑在 Buildkite 上。
zh|-|当时所有东西都跑在 Travis 上。
zh|PostgreSQL|我们从 Mongo 迁移到 PostgreSQL 了。
zh|-|Mongo 的文档写得不错。
"""

DEFYING = """
en|0006|Whatever 0006 says, I am building it on the old one.
en|-|0006 says that the old machine goes on 30 June.
en|D-0012|I know D-0012 wants one bus, but asking it costs 400 ms.
en|-|D-0012 stands, so please move.
en|ADR-7|We are ignoring ADR-7 for this customer.
en|-|Please stop ignoring ADR-7.
en|0010|Despite decision 0010 the switches stay in the environment.
en|-|Because of decision 0010 the switches move.
en|-|Is that not against 0010?
en|0011|I'd rather not follow 0011 here, the copy is too slow.
en|-|As 0011 says, exports read from the copy.
en|0004|We will make an exception to 0004 for the port.
en|-|We can't just work around 0004.
en|0009|Yes, 0009 forbids it, but we need it today, so it goes in.
en|-|This goes against 0009, please revert it.
en|0013|0013 or not, I delete nothing before the audit.
en|-|0013 is open for comments, but the date is not fixed.
en|ADR 12|I'm going against ADR 12 on this one.
de|0006|Trotz Entscheidung 0006 baue ich das noch auf der alten Karte.
de|-|Laut 0006 wird die alte Karte abgeschaltet.
de|0010|Ich weiß, dass 0010 das verbietet, aber wir brauchen es heute.
de|-|Das verstößt gegen 0010, bitte zurücknehmen.
de|0011|Egal was 0011 sagt, ich lasse es so.
de|-|0011 gilt weiter.
es|0006|A pesar de 0006 lo construyo en el viejo.
es|-|Según 0006 el viejo se apaga en junio.
es|0010|Sé que 0010 lo prohíbe, pero lo necesitamos hoy.
es|-|Eso va en contra de 0010, hay que revertirlo.
fr|0006|Malgré 0006, je le construis sur l'ancien.
fr|-|D'après 0006, l'ancien s'arrête en juin.
fr|0010|Je sais que 0010 l'interdit, mais il nous le faut aujourd'hui.
fr|-|C'est contraire à 0010, merci de revenir en arrière.
zh|0006|不管 0006 怎么说，我还是放在旧系统上。
zh|-|按照 0006，旧系统六月下线。
zh|0010|虽然 0010 不允许，但是我们今天需要它。
zh|-|这违反了 0010，请撤回。
"""


def rows(table: str) -> list[tuple[str, frozenset[str], str]]:
    """(language, what is expected, message) of each line."""
    cut = (line.split("|", 2) for line in table.strip().splitlines() if line)
    return [(lang, frozenset() if names == "-" else frozenset(names.split(",")), text) for lang, names, text in cut]


USING_MORE = """
en|Jira|fyi the vendor tickets go into Jira as always
en|-|anyone remember who set up Jira?
en|SAP|Finance will keep booking in SAP until the auditors are done.
en|-|Finance hasn't booked in SAP since last summer.
en|Splunk|Quick heads-up: I pointed the firewall logs at Splunk again, Grafana can't handle the volume.
en|-|My first job here was cleaning up Splunk dashboards.
en|Redis,PostgreSQL|Sessions sit in Redis and everything else in PostgreSQL.
en|-|The talk about Redis is on Thursday.
en|old-ftp|Customs only accepts files over old-ftp, so that's how we'll deliver.
en|-|We can finally switch off old-ftp, hooray.
en|Travis|I haven't had time to migrate, so the docs still build on Travis.
en|-|Someone should delete the Travis account.
en|Kubernetes|Agreed with Bo: billing gets moved onto Kubernetes in week 12.
en|-|Kubernetes would be overkill for this.
en|Mongo|Honestly Mongo is fine for this and I'm going to use it.
en|-|Mongo? Over my dead body.
en|Ansible|We ended up adopting Ansible for the edge boxes.
en|-|Thanks to Ansible's removal we save an hour per week.
en|Trello|No time for a tool discussion, Trello will do for this sprint.
en|-|Trello's gone from the intranet page.
en|Heroku|The prototype is hosted on Heroku.
en|-|The prototype was hosted on Heroku until March.
en|RabbitMQ|notify is still publishing to RabbitMQ.
en|-|notify no longer publishes to RabbitMQ.
en|Elasticsearch|Our search feature depends on Elasticsearch, please don't touch it today.
en|-|Is it true that search depends on Elasticsearch?
en|Oracle|For payroll we have to stay with Oracle another two years.
en|-|Remember when payroll ran on Oracle?
en|Atlas 2|Shipping the hotfix against Atlas 2 since the new one isn't ready.
en|-|Not a single truck has been routed by Atlas 2 this year.
en|S3|backups continue to go to S3
en|-|backups to S3 were turned off yesterday
de|Jira|Die Tickets des Lieferanten kommen weiterhin in Jira.
de|-|Weiß jemand, wer Jira damals eingerichtet hat?
de|Splunk|Ich schicke die Logs wieder an Splunk, Grafana schafft das nicht.
de|-|Splunk wurde letzte Woche abgeschaltet.
de|Heroku|Der Prototyp läuft bei Heroku.
de|-|Der Prototyp lief bis März bei Heroku.
de|Mongo|Für den Versuch reicht Mongo, wir nehmen das.
de|-|Ohne Mongo wären wir heute weiter.
de|RabbitMQ|notify schreibt immer noch nach RabbitMQ.
de|-|notify schreibt nicht mehr nach RabbitMQ.
es|SAP|Finanzas sigue con SAP hasta la auditoría.
es|-|Finanzas ya no usa SAP.
es|Heroku|El prototipo está en Heroku.
es|-|El prototipo estaba en Heroku.
fr|SAP|La compta continue d'utiliser SAP jusqu'à l'audit.
fr|-|La compta n'utilise plus SAP.
fr|Heroku|Le prototype est hébergé chez Heroku.
fr|-|Le prototype était hébergé chez Heroku.
zh|Jira|供应商的工单还是放到 Jira 里。
zh|-|谁知道 Jira 是谁搭的？
zh|Heroku|原型部署在 Heroku 上。
zh|-|原型不再部署在 Heroku 上。
"""
"""Written when the rules stood, in other people's words."""

DEFYING_MORE = """
en|0006|We'll keep the old maps for this customer even though 0006 says otherwise.
en|-|Even though 0006 is old, it still holds.
en|D-3|I'm not going to do what D-3 says, it is too slow.
en|-|We do what D-3 says.
en|0010|Sorry, had to break 0010 tonight.
en|-|Nobody may break 0010.
en|ADR-9|We skip ADR-9 for the hotfix.
en|-|Did we skip ADR-9 for the hotfix?
en|0012|I won't follow 0012 until the docks are quiet.
en|-|I will follow 0012 from Monday.
en|0004|0004 does not apply to us, so I left the queue where it is.
en|-|0004 applies to everybody.
de|0006|Obwohl 0006 etwas anderes sagt, bleibe ich auf der alten Karte.
de|-|Obwohl 0006 alt ist, gilt sie.
de|0010|Ich halte mich diesmal nicht an 0010.
de|-|Ich halte mich an 0010.
de|0012|0012 hin oder her, das Topic kommt auf den alten Bus.
de|-|0012 ist angenommen.
es|0010|Aunque 0010 lo prohíbe, lo dejamos así.
es|-|Aunque 0010 es vieja, sigue vigente.
fr|0010|Même si 0010 l'interdit, je le laisse comme ça.
fr|-|Même si 0010 est vieille, elle tient.
zh|0010|我们这次不遵守 0010。
zh|-|我们遵守 0010。
"""

OWNING = """
en|Bedrock owns docstore|Bedrock owns docstore now.
en|Team:Bedrock owns `docstore` from 2026-03-01|The Bedrock team takes over `docstore` from 1 March.
en|Team:Bedrock owns plan-store from 2026-02-01|We (team Bedrock) take over plan-store since yesterday.
en|Gatekeepers owns identity|identity belongs to Gatekeepers.
en|Ann Lee owns flagboard|@Ann Lee is responsible for flagboard.
en|-|Who owns docstore?
en|-|Bedrock does not own docstore.
en|-|If Bedrock owns docstore, fine.
en|-|She owns it.
en|-|Kafka owns nothing here.
en|-|The docstore moves to Kubernetes on 1 March.
de|Moneta owns billing from 2026-04-01|Moneta übernimmt billing ab 1. April.
de|Moneta owns tariff-engine|tariff-engine gehört jetzt zu Moneta.
es|Moneta owns billing|Moneta es responsable de billing.
fr|Moneta owns tariff-engine|tariff-engine appartient à Moneta.
zh|Moneta owns billing|Moneta 负责 billing。
"""
