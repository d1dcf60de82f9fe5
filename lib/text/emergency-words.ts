/**
 * What people say in pain or danger, in the languages that agents speak. It only decides that somebody has to look: words
 * that are said of other things too ("gas", "fire") count with what makes them an emergency alone.
 */
type EmergencyWords = {
  /** Of pain, bleeding, injuries and damage now. */
  hurt: readonly string[];
  /** Of danger to life: fire, gas, violence. */
  danger: readonly string[];
  /** Before a match in the same clause: it is denied. */
  not: string;
  /** Behind it: it is denied, or another thing than it seems. */
  notAfter?: string;
  /** Who asks with these whether something hurts tells of themselves. */
  own: string;
};

export const EMERGENCY_WORDS: Readonly<Record<string, EmergencyWords>> = {
  en: {
    hurt: [
      '(?:in|have|had|having|got|with|such|so much|lot of|terrible|awful|severe|bad|sharp|unbearable|constant|extreme|the|this|strong|more) (?:(?!no |not |without |less )\\w+ ){0,2}(?:pains?|agony|(?:tooth|head|stomach|belly|ear|back) ?aches?)\\b(?! (?:relief|killers?|management|therapy|clinic|au))',
      '(?:it|that|tooth|teeth|gums?|jaw|back|leg|arm|foot|knee|head|ear|eye|chest|stomach|neck|everything|one|crown|filling|filled) (?:\\w+ )?(?:(?:really|still|just|so) )?(?:hurts|aches|is (?:killing me|hurting|throbbing|aching)|hurting)',
      "(?:won't|doesn't|can't|cannot|not) stop (?:\\w+ )?bleeding|bleed(?:s|ing)|(?:lot of|there[’']s|there is|losing|coughing|vomiting|spitting|covered in|see|full of) (?:\\w+ )?blood|blood (?:everywhere|is|comes|coming|all)",
      '(?:swollen|swelling|abscess|infected|knocked out|broke|broken|fractured) (?:\\w+ ){0,3}(?:and|face|cheek|jaw|tooth|teeth|leg|arm|hip|wrist|ankle|up|fever)|(?:scalp|skin|eyes?|face|throat|mouth|hands?|feet|legs?|arms?|tongue|stomach|chest|wound) (?:is|are) burning|(?:face|cheek|jaw|gum|eye|throat|tongue) (?:is|are|has|looks) (?:\\w+ )?(?:swollen|swelling|infected)',
      "(?:burst|flood(?:ed|ing)|pouring|gushing) (?:\\w+ ){0,3}(?:pipe|main|water|in|through|out|the|everywhere|ceiling)|(?:pipe|water main|boiler) (?:has |just )?(?:burst|exploded)|brakes? (?:\\w+ )?(?:failed|don[’']t work|not working|gone)|run over|hit by a|we crashed|had (?:an|a car) accident",
      '(?:swallowed|ate|drank|eaten) (?:\\w+ ){0,3}(?:battery|bleach|poison|pills?|chocolate|magnets?|needle|coin|grapes?|sock|raisins?)|allergic reaction|(?:is|was|been) (?:badly )?(?:injured|electrocuted|stung)',
      "(?:it|this|that)(?:[’']s| is) (?:an |really an |a real )?emergency|(?:have|got) an emergency(?! (?:appointment|number|slot|service|line))",
    ],
    danger: [
      "chest pains?|heart attack|(?:has|had|having|have) a (?:stroke|seizure)|unconscious|passed out|collapsed|overdose[ds]?|poison(?:ed)?(?! ivy)|suicid\\w*|kill (?:myself|himself|herself)|(?:want|going) to die|(?:not|\\w*n[’']t) (?:want|like) to (?:live|be alive)",
      "(?:not|\\w*n[’']t|cannot|stopped|hard to|struggling to|trouble) (?:\\w+ )?(?:breathe|breathing)|chok(?:ing|ed)|drown(?:ing|ed)",
      "(?:on|caught|catch(?:es|ing)?) fire|there[’']?(?:s| is|s) (?:a |been a )?fire(?! (?:place|pit|alarm|escape|exit|drill|extinguisher))|(?<!(?:scalp|skin|eyes?|face|throat|mouth|hands?|feet|legs?|arms?|tongue|stomach|chest|wound) )(?:is|are|started|something) burning(?! (?:question|calories|fat))|(?:smell(?:s|ing)?|see|there[’']s|there is|full of|of) (?:\\w+ ){0,2}smoke|smoke (?:is )?com(?:es|ing)|(?:flames|explo(?:ded|sion)|short circuit)",
      '(?:smell(?:s|ing)?|smell of|leak(?:s|ing)?|reeks? of|stinks? of) (?:\\w+ )?gas|gas (?:is )?(?:leak|escap|coming out)|carbon monoxide|sparks? (?:are )?(?:com|fly|from|in)|electric shock|electrocuted',
      "(?:kill|murder|shoot|stab|hurt|beat|harm) (?:you|us|me|him|her|them|somebody|someone|everybody|everyone)(?! (?:much|for|with (?:your|the) prices))|threat(?:en\\w*|s)|(?:has|have|with|got) (?:a |the )?(?:knife|gun|weapon|bomb)|burn (?:\\w+ ){0,3}down|blow (?:\\w+ ){0,3}up|being (?:attacked|followed|beaten)|(?:hits|beats|attacked|assaulted) me|break(?:ing)? in(?:to my)?(?! a)|i(?: a|[’'])m in danger|in danger",
    ],
    not: "\\b(?:no|not|never|without|isn['’]?t|doesn['’]?t|don['’]?t|didn['’]?t|won['’]?t|against|stopped|if|do you|what if|in case of|treat|prevent)",
    notAfter: '(?:went|gone|stopped|is gone|is over|has gone|is better|free|-free|insurance)\\b',
    own: '\\b(?:i|my|me|we|our|us|he|she|his|her)\\b',
  },
  de: {
    hurt: [
      '(?<!kein[\\p{L}]* )(?:\\p{L}*schmerzen|zahnweh|bauchweh|kopfweh|ohrenweh|\\p{L}*qualen)(?!\\p{L})',
      '(?:tut|tun|tat)\\b.{0,40}\\bweh|schmerzt|pocht|weh tut',
      '(?:das|dies|es) ist (?:ein |wirklich ein )?notfall|(?:ein|einen|hab\\p{L}* ein\\p{L}*) notfall\\b',
    ],
    danger: [
      'blute[tn]?\\b|blutung\\p{L}*|(?:viel|voller|überall) blut|(?:an|ge)schwollen|eitert|abszess|vereitert',
      '(?:riecht|stinkt)\\b.{0,20}\\b(?:gas|rauch|verbrannt|angebrannt|brand)|gasgeruch|gas (?:tritt|strömt|entweicht)|gasleck|kohlenmonoxid',
      'brennt (?:es|bei|in|im|das|die|der|unser\\p{L}*|mein\\p{L}*)(?!\\p{L})|es brennt|(?:in|steht|stehen) (?:in )?flammen|(?:ein|gibt|ausgebrochen\\w*) (?:feuer|brand)\\b|feuer (?:gefangen|ausgebrochen)|(?:kommt|quillt|viel|steigt) (?:\\p{L}+ )?rauch|rauch (?:kommt|aus|steigt)|explodiert|explosion|funken|stromschlag|rohrbruch|wasserrohrbruch',
      'bewusstlos|ohnmächtig|(?:atmet|bekommt|kriegt|kriege|bekomme)\\b.{0,20}\\b(?:nicht|keine luft|kaum)|herzinfarkt|schlaganfall|erstick\\p{L}*|vergiftet|verschluckt|umbringen|bring\\p{L}* (?:\\p{L}+ ){0,3}um\\b|töten|nicht mehr leben|selbstmord|suizid|lebensgefahr|in gefahr|schwer verletzt|unfall gehabt|zusammengebrochen|angefahren',
      'bedroh\\p{L}*|(?:mit|hat) (?:\\p{L}+ )?(?:messer|pistole|waffe|bombe)|schlägt (?:mich|uns|sie|ihn)|fackel\\p{L}* (?:\\p{L}+ ){0,3}ab|überfallen',
    ],
    not: '\\b(?:kein\\p{L}*|nicht|ohne|gegen|nie|falls|wenn es)',
    notAfter: '(?:therapi\\p{L}*|frei|mittel|(?:ist|sind) weg|mehr nicht)(?!\\p{L})',
    own: '\\b(?:ich|mir|mich|mein\\p{L}*|wir|uns)\\b',
  },
  fr: {
    hurt: [
      '(?:ai|a|avons|avez|fait|avoir|eu) (?:(?!pas |plus |jamais )\\p{L}+ ){0,2}mal\\b(?! (?:compris|entendu|noté))|douleurs?\\b|souffre|rage de dents?',
      'saign\\p{L}+|(?:plein|beaucoup|perd|perds) (?:\\p{L}+ )?(?:de |du )?sang|hémorragie|enfl[ée]+e?s?\\b|gonflée?s?\\b|abcès',
      "c['’]est (?:une )?urgen(?:ce|t)\\b",
    ],
    danger: [
      '(?:sent|odeur|fuite|senti[rs]?|sens)\\b.{0,12}\\b(?:gaz|brûlé|fumée)|monoxyde',
      'en feu\\b|incendie|au feu|brûle\\b|(?:de la|beaucoup de) fumée|fumée (?:sort|partout)|explosion|explosé|étincelles|électrocut\\p{L}+|prend feu|pris feu',
      'respire[rz]? (?:plus|pas|mal)|inconscient\\p{L}*|évanoui\\p{L}*|infarctus|\\bavc\\b|étouffe\\p{L}*|empoisonn\\p{L}+|suicid\\p{L}+|(?:veux|vais|envie de) mourir|tuer|blessée?s?\\b|renversée?\\b|en danger|perdu connaissance|avalé',
      'menace\\p{L}*|(?:a|avec) un (?:couteau|pistolet|fusil)|une (?:arme|bombe)|agress\\p{L}+|me (?:frappe|bat)|mettre le feu|inondation',
    ],
    not: "\\b(?:pas|plus|sans|aucune?|jamais|contre|si|rien|anti)|n['’]ai (?:pas|plus)",
    own: "\\b(?:j['’]|je|me|m['’]|mon|ma|mes|nous|notre|moi)",
  },
  es: {
    hurt: [
      'duele[n]?\\b|dolor(?:es)?\\b|dolía',
      'sangr[ae]\\p{L}*|hemorragia|hinchad[oa]s?\\b|flemón|absceso|infectad[oa]',
      'es (?:una )?(?:urgencia|emergencia|urgente)\\b',
    ],
    danger: [
      '(?:huele|olor|fuga|escape)\\b.{0,12}\\b(?:gas|quemado|humo)|monóxido',
      'incendio|(?:hay|en) (?:un )?(?:fuego|llamas)|se (?:está )?quema(?:ndo)?\\b|ardiendo|(?:mucho|sale|hay) (?:\\p{L}+ )?humo|explosi\\p{L}+|explot[aóe]\\p{L}*|chispas|electrocut\\p{L}+|inundaci\\p{L}+',
      'no (?:\\p{L}+ )?respira\\p{L}*|inconsciente|desmay\\p{L}+|infarto|derrame|ahog\\p{L}+|envenen\\p{L}+|intoxic\\p{L}+|suicid\\p{L}+|(?:quiero|voy a) morir\\p{L}*|matar\\p{L}*|herid[oa]\\b|atropell\\p{L}+|en peligro|se (?:ha )?tragado',
      'amenaz\\p{L}+|(?:un|una) (?:cuchillo|navaja|pistola|arma|bomba)\\b|me (?:pega|golpea|ataca)|prender fuego|quemar (?:su|tu|el|la)\\b',
    ],
    not: '\\b(?:no|ya no|sin|ningún|ninguna|nunca|contra|si)(?: me| te| le| nos| tengo| hay| tiene)?',
    own: '\\b(?:me|mi|mis|yo|nos|tengo|estoy|nuestr\\p{L}+)\\b',
  },
  it: {
    hurt: [
      '(?:fa|fanno|faceva) (?:\\p{L}+ )?male\\b|dolor[ei]\\b|mal di (?:denti|testa|pancia|schiena|gola)|soffr\\p{L}+',
      'sanguin\\p{L}+|(?:perd\\p{L}+|tanto|molto|esce) (?:\\p{L}+ )?sangue|emorragia|gonfi[oaie]\\b|ascesso',
      "è (?:un[’' ]?)?(?:emergenza|urgenza|urgente)\\b",
    ],
    danger: [
      '(?:odore|puzza|fuga|perdita|sento)\\b.{0,12}\\b(?:gas|bruciato|fumo)|monossido',
      "incendio|(?:va|in|preso|andat[oa]) (?:a )?fuoco|(?:in|tra le) fiamme|brucia(?:ndo)?\\b|(?:molto|esce|c[’']è) (?:\\p{L}+ )?fumo|esplo\\p{L}+|scintille|folgorat\\p{L}+|allaga\\p{L}+",
      'non (?:\\p{L}+ )?respir\\p{L}+|svenut\\p{L}+|incoscient\\p{L}+|infarto|ictus|soffoca\\p{L}+|avvelen\\p{L}+|suicid\\p{L}+|(?:voglio|voglia di) morire|uccid\\p{L}+|ammazz\\p{L}+|ferit[oaie]\\b|investit[oa]\\b|in pericolo|ingoiato|ha inghiottito',
      'minacci\\p{L}+|(?:un|una) (?:coltello|pistola|arma|bomba)\\b|mi (?:picchia|attacca|aggredi\\p{L}+)|dar\\p{L}* fuoco',
    ],
    not: "\\b(?:non|senza|nessun|nessuna|mai|contro|se|più)(?: ho| mi| c[’']è| ha)?",
    own: '\\b(?:mi|mio|mia|miei|ho|io|ci|nostr\\p{L}+)\\b',
  },
  pt: {
    hurt: [
      'd[óo]i(?:-me|em)?(?!\\p{L})|dor(?:es)?\\b(?! de cotovelo)|doendo',
      'sangr\\p{L}+|hemorragia|inchad[oa]s?\\b|abcesso|abscesso',
      'é (?:uma )?(?:urgência|emergência|urgente)(?!\\p{L})',
    ],
    danger: [
      '(?:cheir[oa]|fuga|vazamento)\\b.{0,14}(?:g[áa]s|queimado|fumo|fumaça)(?!\\p{L})|monóxido',
      'inc[êe]ndio|(?:pegando|em|pegou) (?:fogo|chamas)|a arder\\b|(?:muito|muita|sai|há) (?:fumo|fumaça)|explos\\p{L}+|explod\\p{L}+|faíscas|electrocut\\p{L}+|eletrocut\\p{L}+|inund\\p{L}+',
      'não (?:\\p{L}+ )?respira\\p{L}*|inconsciente|desmai\\p{L}+|enfarte|infarto|\\bavc\\b|engasg\\p{L}+|envenen\\p{L}+|suic[íi]d\\p{L}+|(?:quero|vou) morrer|matar\\p{L}*|ferid[oa]s?\\b|atropel\\p{L}+|em perigo|engoliu',
      'amea[çc]\\p{L}+|(?:uma?|com) (?:faca|pistola|arma|bomba)\\b|me (?:bate|ataca|agride)|(?:p[ôo]r|deitar|tacar) fogo',
    ],
    not: '(?<!\\p{L})(?:não|nao|já não|sem|nenhuma?|nunca|contra|se)(?: tenho| tem| há| me| estou com)?',
    own: '(?<!\\p{L})(?:me|meu|minha|eu|nos|tenho|estou|nosso|nossa|dói-me)(?!\\p{L})',
  },
  nl: {
    hurt: [
      '\\p{L}*pijn\\b|doet (?:\\p{L}+ )?(?:zeer|pijn)',
      'bloed(?:t|en|ing|ende)\\b|(?:veel|overal|vol) bloed|(?:ge|op)zwollen|abces|ontstoken',
      '(?:is|heb) (?:\\p{L}+ )?(?:een )?(?:noodgeval|spoedgeval)|is dringend',
    ],
    danger: [
      '(?:ruik|ruikt|stinkt|lucht|lek)\\b.{0,14}\\b(?:gas|brand|rook)|gaslucht|gaslek|koolmonoxide',
      '(?:er is|in|staat in|uitgebroken) brand\\b|brand (?:in|bij|uitgebroken)|brandt (?:het|er)|staat in (?:brand|vlammen)|(?:veel|komt) (?:\\p{L}+ )?rook|ontploff?\\p{L}*|explosie|vonken|elektrocut\\p{L}+|overstrom\\p{L}+|waterleiding gesprongen',
      'ademt? (?:\\p{L}+ )?(?:niet|nauwelijks)|geen adem|bewusteloos|flauwgevallen|hartaanval|beroerte|stikt\\b|stikken|vergiftig\\p{L}+|zelfmoord|(?:wil|ga) (?:\\p{L}+ )?dood\\b|vermoord\\p{L}*|doodmaken|gewond|aangereden|in gevaar|ingeslikt',
      'bedreig\\p{L}*|(?:een|met) (?:mes|pistool|wapen|bom)\\b|slaat me|in brand (?:steken|zetten)|aangevallen',
    ],
    not: '\\b(?:geen|niet|zonder|nooit|tegen|als)',
    own: '\\b(?:ik|mijn|me|mij|wij|we|ons|onze)\\b',
  },
  pl: {
    hurt: [
      '(?<!nie )bol(?:i|ą|ało|ał)(?!\\p{L})|ból(?!\\p{L})|bóle(?!\\p{L})|bólu(?!\\p{L})',
      'krwaw\\p{L}+|krew (?:leci|wszędzie|z|nie)|(?:dużo|leci) (?:\\p{L}+ )?krwi?(?!\\p{L})|spuch\\p{L}+|opuch\\p{L}+|ropień',
      'to (?:jest )?(?:nagły wypadek|nagły przypadek|pilne|awaria)',
    ],
    danger: [
      '(?:czu[ćj]\\p{L}*|śmierdzi|zapach|ulatnia|wyciek|pachnie)\\b.{0,20}(?:gaz\\p{L}*|spaleniz\\p{L}*|dym\\p{L}*)|czadem?(?!\\p{L})|tlenek węgla',
      'pali się|płoni\\p{L}+|pożar\\p{L}*|w ogniu|(?:dużo|leci|wydobywa) (?:\\p{L}+ )?dymu?|wybuch\\p{L}*|iskr\\p{L}+|poraził\\p{L}*|zalewa\\p{L}*|zalało',
      'nie (?:\\p{L}+ )?oddycha\\p{L}*|nieprzytomn\\p{L}+|(?:stracił\\p{L}*|traci) przytomność|zemdlał\\p{L}*|zawał|udar|dusi(?:ę|m)? się|zatru\\p{L}+|samobój\\p{L}+|(?:chcę|chce) umrzeć|zabi(?:ję|ć|je|jemy)|rann(?:y|a|i|ych|ego)(?!\\p{L})|potrąc\\p{L}+|niebezpieczeństw\\p{L}+|połkn\\p{L}+',
      'groz\\p{L}{1,4}(?!\\p{L})|grozi(?!\\p{L})|(?:ma|z) (?:nóż|nożem|pistolet\\p{L}*|broń|bronią|bombę)|bije mnie|atakuj\\p{L}+|podpal\\p{L}+',
    ],
    not: '(?<!\\p{L})(?:nie|bez|żaden|żadnego|nigdy|jeśli|na|przeciw)',
    own: '(?<!\\p{L})(?:mnie|mi|mój|moja|moje|mam|ja|nas|nam|nasz\\p{L}*)(?!\\p{L})',
  },
  cs: {
    hurt: [
      '(?<!ne)(?<!\\p{L})bol(?:í|elo|el|est\\p{L}*)(?!\\p{L})|bolest\\p{L}*',
      '(?<!\\p{L})krvác\\p{L}+|(?:teče|hodně|plno) (?:\\p{L}+ )?krve?(?!\\p{L})|krev (?:teče|všude)|otek\\p{L}*|napuch\\p{L}*|otok|absces',
      'je to (?:naléhavé|nouze|akutní)|naléhavý případ',
    ],
    danger: [
      '(?:cítit|cítím|smrdí|zápach|uniká|únik)\\b.{0,20}(?:plyn\\p{L}*|kouř\\p{L}*|spáleni\\p{L}*)|oxid uhelnat\\p{L}+',
      '(?<!\\p{L})hoří|požár\\p{L}*|v plamenech|(?:hodně|jde|valí) (?:\\p{L}+ )?kouře?|vybuch\\p{L}*|výbuch|jiskř\\p{L}*|zasáhl\\p{L}* proud|vytop\\p{L}*|prasklo potrubí',
      'nedýchá\\p{L}*|nemůžu dýchat|nemůže dýchat|bezvědomí|omdlel\\p{L}*|infarkt|mrtvic\\p{L}*|dusí se|otráv\\p{L}*|otrav\\p{L}*|sebevra\\p{L}+|chci umřít|zabij\\p{L}*|zabít|zraně\\p{L}*|srazil\\p{L}* auto|v nebezpečí|spolkl\\p{L}*',
      'vyhrož\\p{L}+|(?:má|s) (?:nůž|nožem|pistol\\p{L}*|zbra\\p{L}+|bomb\\p{L}+)|bije mě|útočí|zapálí\\p{L}*',
    ],
    not: '(?<!\\p{L})(?:ne|není|nemám|bez|žádn\\p{L}+|nikdy|proti|pokud)',
    own: '(?<!\\p{L})(?:mě|mne|mi|můj|moje|mám|já|nás|nám|náš|naše)(?!\\p{L})',
  },
  sv: {
    hurt: [
      '(?<!\\p{L})(?:(?:jätte|skit|svin|så |mycket |har |gör |riktigt )ont)(?!\\p{L})(?! om)|\\p{L}*värk\\p{L}{0,2}(?!\\p{L})|smärt[ao]\\p{L}*|värker',
      'blöd(?:er|ning\\p{L}*|de)|(?:mycket|överallt) blod|svull\\p{L}+|svulln\\p{L}+|böld|inflamm\\p{L}+',
      'är (?:ett )?(?:nödläge|akut|nödfall)(?!\\p{L})',
    ],
    danger: [
      'luktar (?:\\p{L}+ )?(?:gas|rök|bränt)|gaslukt|gasläcka|kolmonoxid|koloxid',
      'brinner|eldsvåda|(?:börjat|står i) (?:brinna|lågor|brand)|(?:mycket|kommer) (?:\\p{L}+ )?rök|explosion|explodera\\p{L}*|gnist\\p{L}+|elstöt|översväm\\p{L}+|vattenläcka',
      'andas (?:\\p{L}+ )?inte|inte andas|får ingen luft|medvetslös|svimma\\p{L}+|hjärtattack|hjärtinfarkt|stroke|kvävs|kväv\\p{L}+|förgift\\p{L}+|självmord|vill dö|döda (?:dig|er|honom|henne|mig|oss)|skadad|påkörd|i fara|svalt',
      'hot(?:ar|at|ad|ade)(?!\\p{L})|(?:har|med) (?:en )?(?:kniv|pistol|vapen|bomb)(?!\\p{L})|slår mig|bränna ner|överfall\\p{L}*',
    ],
    not: '(?<!\\p{L})(?:inte|inget|ingen|utan|aldrig|mot|om)',
    own: '(?<!\\p{L})(?:jag|mig|min|mitt|mina|vi|oss|vår)(?!\\p{L})',
  },
  da: {
    hurt: [
      '(?<!\\p{L})(?:ondt|\\p{L}*smerter?|(?:tand|hoved|mave)pine)(?!\\p{L})',
      'bløder|blødning\\p{L}*|(?:meget|masser af) blod|hæve[td]\\p{L}*|hævelse|byld|betænd\\p{L}+',
      'er (?:et )?(?:nødstilfælde|akut)(?!\\p{L})',
    ],
    danger: [
      'lugter? (?:\\p{L}+ )?(?:af |efter )?(?:gas|røg|brændt)|gaslugt|gasudslip|kulilte',
      'brænder (?!varmt)|brænder$|(?:er|i|gået) (?:der )?(?:brand|ild)(?!\\p{L})|står i flammer|(?:meget|kommer) (?:\\p{L}+ )?røg|eksplo\\p{L}+|gnister|stød af|oversvømm\\p{L}+|vandskade',
      '(?:trækker|får) (?:\\p{L}+ )?ikke (?:\\p{L}+ )?(?:vejret|luft)|kan ikke (?:trække vejret|få vejret)|bevidstløs|besvimet|hjerteanfald|blodprop|kvæl\\p{L}+|forgift\\p{L}+|selvmord|vil (?:gerne )?dø|slå (?:\\p{L}+ )?ihjel|dræbe|kommet til skade|påkørt|i fare|slugt',
      'tru(?:er|sler|et|ende)(?!\\p{L})|(?:har|med) (?:en )?(?:kniv|pistol|våben|bombe)(?!\\p{L})|slår mig|brænde (?:\\p{L}+ )?ned|overfald\\p{L}*',
    ],
    not: '(?<!\\p{L})(?:ikke|ingen|intet|uden|aldrig|mod|hvis)',
    own: '(?<!\\p{L})(?:jeg|mig|min|mit|mine|vi|os|vores)(?!\\p{L})',
  },
  nb: {
    hurt: [
      '(?<!\\p{L})(?:vondt|\\p{L}*smerter?|(?:tann|hode|mage|øre|rygg)verk)(?!\\p{L})',
      'blør|blødning\\p{L}*|(?:mye|masse) blod|hov(?:en|ne|net)(?!\\p{L})|hevelse|byll|betent',
      'er (?:et )?(?:nødstilfelle|akutt)(?!\\p{L})',
    ],
    danger: [
      'lukter? (?:\\p{L}+ )?(?:av )?(?:gass|røyk|brent)|gasslukt|gasslekkasje|kullos|karbonmonoksid',
      'brenner (?!inne med)|brenner$|(?:er|i) (?:det )?(?:brann|flammer)(?!\\p{L})|tatt fyr|(?:mye|kommer) (?:\\p{L}+ )?røyk|eksplo\\p{L}+|gnister|støt av|oversvømm\\p{L}+|vannlekkasje',
      '(?:puster|pustar) (?:\\p{L}+ )?ikke|får ikke puste|kan ikke puste|bevisstløs|besvimt|hjerteinfarkt|hjerteattakk|slag(?:anfall)|kvel\\p{L}+|forgift\\p{L}+|selvmord|vil dø|drepe|skadet|påkjørt|i fare|svelget',
      'tru(?:er|sler|et|ende)(?!\\p{L})|(?:har|med) (?:en )?(?:kniv|pistol|våpen|bombe)(?!\\p{L})|slår meg|brenne ned|overfal\\p{L}*',
    ],
    not: '(?<!\\p{L})(?:ikke|ingen|intet|uten|aldri|mot|hvis)',
    own: '(?<!\\p{L})(?:jeg|meg|min|mitt|mine|vi|oss|vår)(?!\\p{L})',
  },
  fi: {
    hurt: [
      '(?<!\\p{L})(?:\\p{L}*särky\\p{L}*|\\p{L}*särke\\p{L}+|sattuu|\\p{L}*kipu(?:a|ja)?|kipeä\\p{L}*|\\p{L}*kivut|koskee kovasti|tuska\\p{L}*)(?!\\p{L})',
      'vuotaa (?:\\p{L}+ )?verta|verenvuoto\\p{L}*|(?:paljon|kaikkialla) verta|turvo(?:nnut|ksissa|tus)|turvonnut|tulehtu\\p{L}+|paise',
      'on (?:hätätapaus|hätä|kiireellinen)(?!\\p{L})',
    ],
    danger: [
      '(?:haisee|hajua?|tuoksuu|vuotaa)\\b.{0,12}(?:kaasu\\p{L}*|savu\\p{L}*|palane\\p{L}*)|kaasuvuoto|kaasun haju|häkä\\p{L}*',
      '(?:palaa|tulipalo\\p{L}*|tulessa|liekeissä|syttyi)(?!\\p{L})(?! (?:takaisin|asiaan|loppuun))|(?:paljon|tulee) savua|räjäh\\p{L}+|kipinö\\p{L}+|sähköisku\\p{L}*|vesivahinko|tulvii',
      'ei (?:\\p{L}+ )?hengitä|en (?:\\p{L}+ )?hengitä|en saa henkeä|ei saa henkeä|tajuton\\p{L}*|tajuttom\\p{L}+|pyörtyi|sydänkohtaus|sydäninfarkti|aivohalvaus|tukehtu\\p{L}+|myrkyt\\p{L}+|itsemurha\\p{L}*|haluan kuolla|tapan|tappaa|loukkaantu\\p{L}+|yliajo|vaarassa|nieli(?!\\p{L})',
      'uhka(?:a|ilee|us|uksia)(?!\\p{L})|(?:on|hänellä) (?:\\p{L}+ )?(?:veitsi|ase|pistooli|pommi)(?!\\p{L})|lyö minua|polttaa (?:\\p{L}+ )?maan|hyökkä\\p{L}+',
    ],
    not: '(?<!\\p{L})(?:ei|en|eikä|ilman|jos|milloinkaan)',
    own: '(?<!\\p{L})(?:minu\\p{L}+|mun|minä|mulla|olen|meidän|meillä|\\p{L}+ni)(?!\\p{L})',
  },
  tr: {
    hurt: [
      'ağrıyor\\p{L}*|ağrı(?:m|sı|lar\\p{L}*)?(?!\\p{L})|acıyor\\p{L}*|sızlıyor\\p{L}*|sancı\\p{L}*',
      'kan(?:ıyor|ama\\p{L}*|adı)\\p{L}*|(?:çok|her yer) kan(?!\\p{L})|şiş(?:ti|miş|lik|kin)\\p{L}*|apse|iltihap\\p{L}*',
      'acil (?:durum|bir durum)|çok acil',
    ],
    danger: [
      'gaz (?:kokusu|kaçağı|sızıntısı|kokuyor|kaçırıyor|sızıyor)|(?:yanık|duman) kokusu|karbonmonoksit',
      'yangın(?: var| çıktı|ı)|yanıyor\\p{L}*|alev\\p{L}*|duman (?:çıkıyor|var)|patla\\p{L}+|kıvılcım\\p{L}*|elektrik çarp\\p{L}+|su bas\\p{L}+',
      'nefes (?:alm|al[aı]m)\\p{L}*|baygın|bayıldı\\p{L}*|bilinci\\p{L}*|kalp krizi|felç|boğul\\p{L}+|zehirlen\\p{L}+|intihar|ölmek istiyorum|öldür\\p{L}+|yaralı\\p{L}*|yaralandı\\p{L}*|araba çarptı|tehlikede|yuttu',
      'tehdit\\p{L}*|bıçak\\p{L}*|silah\\p{L}*|bomba\\p{L}*|dövüyor|saldır\\p{L}+|yakacağım',
    ],
    not: '(?<!\\p{L})(?:hiç)',
    notAfter: '.{0,12}(?:yok|değil|olmadı|geçti|kesici|mıyor)(?!\\p{L})',
    own: '(?<!\\p{L})(?:benim|bana|bende|\\p{L}+(?:im|ım|um|üm))(?!\\p{L})',
  },
};
