import type { Text, TextKind } from './texts.ts'

/** One rule of docs/decisions/0089: what it finds in a text, and the advice that it prints. */
export interface ProseRule {
  readonly name: string
  readonly kinds: readonly TextKind[]
  /** Files to which the rule applies; all if missing. */
  readonly files?: RegExp
  readonly advice: string
  /** Returns the offending words, one entry for each finding. */
  readonly find: (text: string) => readonly string[]
}

const everywhere: readonly TextKind[] = ['doc comment', 'comment', 'string', 'document', 'heading']

/** Words with which no noun phrase and no verb in the third person begins. */
const dependentStarts =
  /^(?:What|Whatever|Whether|Where|Wherever|Of|Who|Whom|Whoever|Whose|Which|Why|How|It|They|Those)\b/

/** Words with which a title begins that leaves its subject to the suite around it. */
const fragmentStarts =
  /^(?:what(?!-if)|whatever|whoever|whom?|nobody|of|where|whether|how|whose|that|which|are|is|was|were|has|have|had|do|does|goes?|so|those|it|its|they)\b/i

/** Phrases that make a reader guess the actor or the subject, with a plainer form. */
const riddles: readonly (readonly [RegExp, string])[] = [
  [/\b(?:whoever|whomever|whosoever|who ever)\b/gi, 'name the actor: the caller, the client, the user'],
  [/\b(?:nobody|somebody|everybody|anybody)\b/gi, 'name the actor, or use the passive'],
  [/\bby (?:itself|themselves)\b/gi, 'name the cause or the time: expires, runs on its own schedule'],
  [/\b(?:is|are|was|were|be|being) told (?:of|about)\b/gi, 'notify, report, receive'],
  [/\ba (?:choice|click|call) away\b/gi, 'name the action'],
  [/\bsets? of clothes\b/gi, 'format'],
  [/\bsuch (?:a|an) one\b|\bsuch ones\b/gi, 'repeat the noun'],
  [/\b(?:where|there|here)(?:of|upon|from|to|in|by|with)\b(?<!\btherefrom)/gi, 'say of it, from it, by it'],
  [/\bthe like of\b|\band the like\b/gi, 'name the things, or say "similar"'],
  [/\bhurr(?:y|ies|ied)\b/gi, 'make due now'],
  [/\b(?:cannot|can not|could not) say\b/gi, 'is unknown'],
  [/\bof it that\b|\bof them that\b/gi, 'make it two sentences'],
  [/\bwhat is there\b|\bwhat there is\b/gi, 'name the thing'],
  [/\b(?:a|the) thing\b/gi, 'name the thing'],
]

/** The most words that a sentence of a document may have. */
const longestSentence = 40
const sentences = new Intl.Segmenter('en-US', { granularity: 'sentence' })

export const proseRules: readonly ProseRule[] = [
  {
    name: 'doc-comment-start',
    kinds: ['doc comment'],
    advice: 'begin with a verb in the third person or a noun phrase',
    find: (text) => dependentStarts.exec(text) ?? [],
  },
  {
    name: 'test-title',
    kinds: ['test title'],
    advice: 'name the subject, then the result: "refresh token: refused for another client"',
    find: (text) => fragmentStarts.exec(text) ?? [],
  },
  ...riddles.map(
    ([pattern, advice]): ProseRule => ({
      name: 'plain-words',
      kinds: everywhere,
      advice,
      find: (text) => [...text.matchAll(pattern)].map(([words]) => words),
    }),
  ),
  {
    name: 'repeated-word',
    kinds: ['doc comment', 'comment', 'document'],
    advice: 'remove one',
    find: (text) => [...text.matchAll(/(?<![\w’'-])([a-z]{2,}) \1(?![\w’'-])/g)].map(([words]) => words),
  },
  {
    name: 'sentence-length',
    kinds: ['document'],
    files: /\.md$/,
    advice: `at most ${longestSentence} words: make it two sentences`,
    find: (text) =>
      [...sentences.segment(text)]
        .map(({ segment }) => segment.trim())
        .filter((sentence) => sentence.split(' ').length > longestSentence)
        .map((sentence) => `${sentence.slice(0, 60)}…`),
  },
  {
    name: 'decision-title',
    kinds: ['heading'],
    files: /docs\/decisions\/\d/,
    advice: 'state the decision in the imperative: "Cache pages until the next commit"',
    find: (text) => (isImperative(/^\d{4} (\S+)/.exec(text)?.[1] ?? '') ? [] : [text]),
  },
]

/** Rejects first words that are articles, pronouns, or verbs and nouns that end in -s, -ing or -ed. */
function isImperative(word: string): boolean {
  if (/^(?:The|A|An|Our|One|It|We|This|No|Why|How|What|Where)$|(?:ing|ed|[^s]s)$/.test(word)) return false
  return /^[A-Z][a-z-]+$/.test(word)
}

export interface Finding {
  readonly path: string
  readonly line: number
  readonly rule: string
  readonly words: string
  readonly advice: string
}

/** Applies every rule to the texts of one file. */
export function judgeTexts(path: string, texts: readonly Text[]): Finding[] {
  return texts.flatMap(({ kind, line, text }) =>
    proseRules
      .filter(({ kinds, files }) => kinds.includes(kind) && (files === undefined || files.test(path)))
      .flatMap(({ name, advice, find }) => find(text).map((words) => ({ path, line, rule: name, words, advice }))),
  )
}
