"""Words that allow, forbid, oblige or leave free, that name who answers for something, and decisions' statuses.

Data only; proof.conflict.stance reads it. Try: python -c "from proof.conflict.stance_tables import STATUSES; print(STATUSES)"
"""

STANCES: dict[str, dict[str, dict[str, str]]] = {
    "permission": {
        "no": {
            "en": r"(?:may|can|must|should|shall) ?not(?! only)|cannot|can't|mustn't|shouldn't|(?:is|are) not (?:\w+ )?(?:allowed|permitted|"
            r"possible|accepted|covered|reimbursed)|(?:isn't|aren't) (?:allowed|permitted|covered|reimbursed)|not allowed|not permitted|"
            r"forbidden|prohibited|banned|do not (?:bring|use|share|install|pay|reimburse|cover)|never|we don't (?:pay|reimburse|cover)",
            "de": r"(?:darf|dürfen|kann|können) (?:\w+ ){0,6}(?:nicht|kein\w*)|(?:ist|sind) (?:\w+ ){0,3}(?:nicht (?:erlaubt|gestattet|zulässig|möglich)|"
            r"verboten|untersagt)|nicht (?:erlaubt|gestattet|zulässig)|verboten|untersagt",
            "fr": r"ne (?:peut|peuvent|pouvez|doit|doivent) pas|n'est pas (?:autorisée?|permise?)|ne sont pas (?:autorisée?s|permis\w*)|interdite?s?",
            "es": r"no (?:se puede|puede[ns]?|está[n]? permitid[oa]s?|se permite[n]?)|prohibid[oa]s?",
            "it": r"non (?:può|possono|si può|è permess[oa]|è consentit[oa]|sono (?:ammess|consentit)[ie])|vietat[oaie]",
            "pt": r"não (?:pode[m]?|é permitid[oa]|são permitid[oa]s)|proibid[oa]s?",
            "nl": r"(?:mag|mogen|kan) (?:\w+ ){0,4}(?:niet|geen)|niet toegestaan|verboden",
            "zh": r"不得|不可以|不允许|不能|禁止|严禁|不准",
            "ja": r"禁止|できません|いけません|認められ(?:ない|ていません)",
            "ru": r"нельзя|запрещен\w*|не разрешается|не может|не могут",
        },
        "yes": {
            "en": r"may|can|(?:is|are) (?:always |also )?(?:allowed|permitted|welcome|possible|fine|accepted|covered|reimbursed)|allowed|permitted|welcome|"
            r"we (?:pay|reimburse|cover)",
            "de": r"darf|dürfen|kann|können|erlaubt|gestattet|zulässig|willkommen",
            "fr": r"peut|peuvent|pouvez|autorisée?s?|permise?s?|admise?s?",
            "es": r"se puede|puede[ns]?|permitid[oa]s?|se permite[n]?",
            "it": r"può|possono|si può|permess[oa]|consentit[oa]|ammess[ie]",
            "pt": r"pode[m]?|permitid[oa]s?",
            "nl": r"mag|mogen|toegestaan",
            "zh": r"可以|允许|准许|可(?!能|是)",
            "ja": r"できます|認められ(?:ています|る)|可能です",
            "ru": r"можно|разрешен\w*|разрешается|может|могут",
        },
    },
    "pay": {
        "no": {
            "en": r"unpaid|not (?:\w+ )?paid|(?:isn't|aren't) (?:\w+ )?paid|without pay",
            "de": r"unbezahlt\w*|nicht (?:\w+ )?(?:bezahlt|vergütet)\w*|ohne (?:Lohn|Gehalt|Bezahlung)",
            "fr": r"non payée?s?|non rémunérée?s?|sans solde",
            "es": r"no (?:se paga[n]?|remunerad[oa]s?|pagad[oa]s?)|sin (?:sueldo|goce)",
            "it": r"non (?:retribuit|pagat)[oaie]",
            "pt": r"não (?:remunerad|pag)[oa]s?|sem vencimento",
            "nl": r"onbetaalde?",
            "zh": r"无薪|不带薪|无偿",
            "ja": r"無給|無休",
            "ru": r"неоплачиваем\w*|не оплачива\w+",
        },
        "yes": {
            "en": r"(?:is|are|be|gets?|fully|as) (?:\w+ )?paid(?! by)|paid(?= (?:leave|time|breaks?|holidays?|absence|days?|work|overtime)\b)",
            "de": r"bezahlte?[nrsm]?|vergütet\w*",
            "fr": r"payée?s?|rémunérée?s?",
            "es": r"se paga[n]?|remunerad[oa]s?|pagad[oa]s?",
            "it": r"retribuit[oaie]|pagat[oaie]",
            "pt": r"remunerad[oa]s?|pag[oa]s?",
            "nl": r"betaalde?|doorbetaald",
            "zh": r"带薪|有薪|有偿",
            "ja": r"有給",
            "ru": r"оплачива\w+",
        },
    },
    "duty": {
        "no": {
            "en": r"optional|voluntary|not (?:required|mandatory|compulsory|obligatory|necessary|needed)|(?:do|does|need) ?not (?:have to|need(?: to)?|require)|"
            r"don't (?:have to|need(?: to)?)|doesn't (?:have to|need(?: to)?)|need not|no need|no longer (?:required|needed)",
            "de": r"freiwillig\w*|optional\w*|nicht (?:nötig|erforderlich|verpflichtend|notwendig|vorgeschrieben|pflicht)|keine pflicht|"
            r"(?:muss|müssen|braucht?|brauchen) (?:\w+ ){0,5}(?:nicht|kein\w*)",
            "fr": r"facultati\w+|optionnel\w*|pas (?:obligatoire|nécessaire|requise?)",
            "es": r"opcional\w*|voluntari[oa]s?|no (?:es|son) (?:obligatori[oa]s?|necesari[oa]s?)|no hace falta",
            "it": r"facoltativ\w+|opzional\w+|non (?:è|sono) (?:obbligatori\w*|necessari\w*)",
            "pt": r"opciona\w+|facultativ\w+|não (?:é|são) (?:obrigatóri\w+|necessári\w+)",
            "nl": r"optioneel|vrijwillig|niet (?:verplicht|nodig)",
            "zh": r"自愿|可选|不(?:是)?(?:必须|强制|需要)|无需|不必",
            "ja": r"任意|必要(?:は)?(?:ありません|ない)|不要",
            "ru": r"необязательн\w*|добровольн\w*|не (?:требуется|нужно|обязательн\w*)",
        },
        "yes": {
            "en": r"must|required?s?|mandatory|compulsory|obligatory|(?:have|has|need|needs) to",
            "de": r"muss|müssen|pflicht|verpflichtend|vorgeschrieben|erforderlich|obligatorisch|zwingend",
            "fr": r"obligatoires?|doit|doivent|devez|requise?s?",
            "es": r"obligatori[oa]s?|debe[ns]?|hay que|es necesari[oa]",
            "it": r"obbligatori\w*|deve|devono|necessari[oa]",
            "pt": r"obrigatóri\w+|deve[m]?|necessári[oa]",
            "nl": r"verplicht|moet|moeten",
            "zh": r"必须|强制|需要|须|应当",
            "ja": r"必須|義務|必要(?:です|があり)|なければなりません",
            "ru": r"обязательн\w*|должн\w*|требуется",
        },
    },
}  # fmt: skip

RELATIONS: dict[str, tuple[str, str]] = {
    "owner": (
        r"owners?|owned by|owns|maintain(?:er|ers|s|ed by)|responsible|accountable|\w*verantwortlich\w*|zuständig\w*|besitzer\w*|eigentümer\w*|"
        r"responsable|responsabile|responsável|verantwoordelijk\w*|ответственн\w*",
        r"负责人|负责|担当者|責任者|담당자",
    ),
    "contact": (
        r"contacts?(?: person)?|point of contact|ask|ansprechpartner\w*|ansprechperson\w*|kontakt\w*|contacto|contatto",
        "联系人|連絡先|窓口",
    ),
    "lead": (
        r"leads?|led by|heads?|headed by|\w*leiter(?:in)?|leitet|geleitet|leitung|dirige|chef\w*|managed by|teamleit\w*",
        "主管|部长",
    ),
    "approver": (
        r"approves?|approved by|approver|genehmigt|signs?(?: off)?|signed by|unterschreibt|freigegeben",
        "审批人|批准|承認者",
    ),
    "officer": (r"officer|\w*beauftragte\w*|délégué\w*|delegad[oa]|first aider|ersthelfer\w*", "专员"),
}
"""What a person is to a thing: words, and words of unspaced scripts."""
NAMES: dict[str, str] = {
    "zh": r"(?:负责人|联系人|主管|审批人)(?:是|为|：|:)?\s*([\u4e00-\u9fff]{2,3})(?=[，。；,;\s]|$)",
    "ja": r"(?:担当者|責任者|連絡先|窓口|承認者)(?:は|：|:)\s*([\u4e00-\u9fff]{2,4})(?=さん|です|。|、|\s|$)",
}
"""How a person is found in scripts without capitals."""

STATUSES: dict[str, str] = {
    "accepted": r"accepted|approved|agreed|in force|adopted|angenommen|beschlossen|gültig|acceptée?|aceptad[oa]|accettat[oa]|已接受|已采纳|承認済み?",
    "superseded": r"superseded|replaced|ersetzt|abgelöst|remplacée?|sustituid[oa]|已被取代|已取代|廃止",
    "deprecated": r"deprecated|obsolete|retired|withdrawn|veraltet|zurückgezogen|obsol\w+",
    "rejected": r"rejected|declined|abgelehnt|verworfen|rejetée?|rechazad[oa]|已拒绝|却下",
    "proposed": r"proposed|draft|in review|under review|open|vorgeschlagen|entwurf|proposée?|propuest[oa]|提议|草案|提案",
    "amended": r"amended|geändert|ergänzt|modifiée?|modificad[oa]",
}
ICONS: dict[str, str] = {
    "✅": "accepted", "✔": "accepted", "❌": "rejected", "🤔": "proposed", "⌛": "superseded", "♻": "amended", "🚧": "proposed",
}  # fmt: skip
