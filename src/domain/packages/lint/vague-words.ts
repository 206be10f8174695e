/**
 * Words without content. A text that consists only of such words says nothing. Texts in languages that are not in this
 * list are judged only by their structure. Words with fewer than four letters are always ignored, so they are not
 * listed.
 */
const WORDS = `
  about again already also around because been before being both case come complete consider continue could done each either
  else every everyone everything finish forward from good have help here high just keep kind know like look made make more
  most much need next nothing only other over part people please point possible proper quality quick ready really reason right
  same several should simply some something soon still such sure take task than that their then there they thing think this
  time topic usual various very view well went were what whatever when where which while will with within without work would your

  aber alle alles andere auch bald bearbeitung bitte dann dass diese einen einige entsprechend erledigt fertig gesamt haben hier
  jetzt kann kein machen mehr nach nicht noch passen punkte sache sehen sehr sicht sinnvoll sollte sonst soweit über unter
  weiter werden wird wirken wurde zeit

  ahora algo bien cada como cosas cuidado debe desde donde esta este está funcionar general hacer hecho momento mucho nada otro
  para parte pero poco posible porque punto quedar según sobre solo tarea tiempo todo trabajo varios usted

  aussi autre avec bien cela cette chaque choses comme dans encore ensemble être faire fait leur mais même moment nous nécessaire
  points possible pour quelque rien selon sera suite sujet tous tout travail très vous

  altro anche ancora aspetti bene come cosa della delle dopo essere fare fatto lavoro molto necessario niente ogni parte poco
  possibile prima quando quello questo sempre senza sono stato tempo tutti tutto vari

  agora ainda aqui assim cada coisa como daqui depois deve esta este fazer feito ficar forma frente geral isso mais melhor mesmo
  muito nada outro para parte ponto possível porque seguir sempre sobre tarefa tempo todo trabalho tudo vários você

  bardzo czas dalej dalszy dobrze gotowe innych jest jeszcze każdy kilka która które który można należy nasz oraz ogólnie praca
  przez przy punkt różne rzeczy sprawa szybko teraz tego tylko wiele wszystko wykonać zadanie został

  будет было быть более всего вопрос время готово далее должно задача которые который может можно нужно общем очень после просто
  работа разный сделано сейчас также только хорошо чтобы этот`;

/**
 * Words without content in Korean (listed as the beginnings of words) and in scripts without blanks between words
 * (listed as pairs of characters).
 */
const PAIRS = `
  完成 已经 进行 工作 任务 相关 问题 情况 内容 基本 顺利 继续 后续 处理 可以 良好 全部 所有 我们 需要 没有 目前 方面 一些 按照 一切
  完了 作業 対応 問題 特に 状況 全体 必要 適切 順調 予定 今後 確認 可能 全て 各種 以上 実施 部分
  작업 완료 모든 모두 문제 진행 필요 적절 관련 상황 내용 계속 이후 다음 전체 부분 대로 없이`;

/** Subjective words. A criterion cannot be verified if it has such a word and names nothing specific. */
const TASTE = `
  good nice clean elegant quality proper properly appropriate adequate reasonable reasonably professional modern quick quickly
  fast soon asap careful carefully happy user-friendly robust intuitive smoothly sensibly well
  gut gute sauber hochwertig ordentlich angemessen professionell schnell zügig zeitnah zufrieden modern schön stimmig sorgfältig
  bueno calidad adecuado rápido rápidamente cuidado profesional bonito razonable pronto satisfecho
  qualité bien propre rapidement vite soigné agréable satisfaisant professionnel raisonnable
  buono bene qualità adeguato rapidamente presto professionale ragionevole curato
  bom bem qualidade adequado rapidamente profissional razoável cuidadoso agradável
  dobry dobrze jakość jakości szybko sprawnie ładny odpowiedni profesjonalny rozsądny starannie
  хорошо качественно качество быстро аккуратно красиво удобно разумно
  优质 合理 适当 尽快 专业 美观 满意 早急 早め 丁寧 適切 品質 좋은 적절 빨리 깔끔`;

const KEY_LENGTH = 5;

/**
 * Returns the key of a word. Words with the same beginning have the same key, for example `finish`, `finished` and
 * `finishing`.
 */
export const keyOf = (word: string): string => word.slice(0, KEY_LENGTH);

const list = (words: string): readonly string[] => words.trim().split(/\s+/);

const TASTES: ReadonlySet<string> = new Set(list(TASTE));

/** True for a subjective word. In scripts without blanks, `word` is a pair of characters. */
export const isTaste = (word: string): boolean => TASTES.has(word);

export const EMPTY: ReadonlySet<string> = new Set([...list(WORDS).map(keyOf), ...list(PAIRS)]);

/** Matches text that refers to a conversation that the receiver has not seen. */
export const ELSEWHERE =
  /(?<!\p{L})(?:see (?:above|chat|thread)|as (?:we )?(?:discussed|mentioned|agreed|talked about)|where (?:i|we) left off|you know (?:what|the|how|where)|(?:our|the) (?:last|previous) (?:chat|conversation|call)|mentioned (?:above|earlier|before)|wie (?:besprochen|gehabt|vereinbart)|como (?:hablamos|acordamos|quedamos|combin[aá]mos|falamos)|comme (?:convenu|discuté|vu ensemble)|come (?:concordato|discusso|d'accordo)|jak (?:ustalono|ustaliliśmy|omówiono|rozmawialiśmy)|как (?:обсуждали|договаривались|обсуждалось))(?!\p{L})|如(?:前|上)所述|(?:按|如)(?:之前)?讨论|前回の(?:通り|話)|先日の(?:通り|話)/iu;

/** Matches text that says that a question is still open. */
export const HEDGE =
  /(?<!\p{L})(?:not (?:sure|certain|yet decided)|unclear whether|undecided|to be (?:decided|clarified)|noch (?:offen|unklar)|por (?:decidir|aclarar)|reste à (?:décider|clarifier)|da (?:decidere|chiarire)|a definir|do ustalenia)(?!\p{L})/iu;
