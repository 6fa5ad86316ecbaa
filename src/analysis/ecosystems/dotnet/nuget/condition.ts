/** The result of a condition; undefined if the files do not decide it. */
type Verdict = boolean | undefined

/** Replaces the properties of a text; undefined if one of them is not known. */
export type Expand = (text: string) => string | undefined

const TOKEN = /\s*(?:'([^']*)'|(==|!=|<=|>=|<|>|!|\(|\)|,)|((?:\$\((?:[^()]|\([^()]*\))*\)|[@%]\([^()]*\)|[\w.+-])+))/y
const COMPARISONS = new Set(['==', '!=', '<', '>', '<=', '>='])
const MAX_LENGTH = 10_000
const MAX_DEPTH = 50

interface Token {
  readonly text: string
  readonly isOperator: boolean
}

/** Evaluates a condition of MSBuild. Undefined if it depends on what the files do not tell, or cannot be read. */
export function evaluateCondition(condition: string, expand: Expand): Verdict {
  const tokens = condition.length > MAX_LENGTH ? undefined : tokenize(condition)
  if (tokens === undefined) return undefined
  const reader = new ConditionReader(tokens, expand)
  const verdict = reader.readOr()
  return reader.isAtEnd() ? verdict : undefined
}

function tokenize(condition: string): Token[] | undefined {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < condition.trimEnd().length) {
    const match = TOKEN.exec(condition)
    if (match === null) return undefined
    tokens.push({ text: match[1] ?? match[2] ?? match[3]!, isOperator: match[2] !== undefined })
  }
  return tokens
}

class ConditionReader {
  private readonly tokens: readonly Token[]
  private readonly expand: Expand
  private at = 0
  private depth = 0

  constructor(tokens: readonly Token[], expand: Expand) {
    this.tokens = tokens
    this.expand = expand
  }

  isAtEnd(): boolean {
    return this.at === this.tokens.length
  }

  readOr(): Verdict {
    let verdict = this.readAnd()
    while (this.skipWord('or')) {
      const other = this.readAnd()
      verdict = verdict === true || other === true ? true : verdict === false ? other : undefined
    }
    return verdict
  }

  private readAnd(): Verdict {
    let verdict = this.readOne()
    while (this.skipWord('and')) {
      const other = this.readOne()
      verdict = verdict === false || other === false ? false : verdict === true ? other : undefined
    }
    return verdict
  }

  private readOne(): Verdict {
    if (++this.depth > MAX_DEPTH) {
      this.at = this.tokens.length + 1
      return undefined
    }
    const verdict = this.readNested()
    this.depth--
    return verdict
  }

  private readNested(): Verdict {
    if (this.skip('!')) {
      const verdict = this.readOne()
      return verdict === undefined ? undefined : !verdict
    }
    if (this.skip('(')) {
      const verdict = this.readOr()
      if (!this.skip(')')) this.at = this.tokens.length + 1
      return verdict
    }
    const left = this.tokens[this.at++]
    if (left === undefined || left.isOperator) return undefined
    if (this.skip('(')) return this.skipArguments()
    const operator = this.tokens[this.at]
    if (operator === undefined || !COMPARISONS.has(operator.text)) return toBoolean(this.expand(left.text))
    this.at++
    return compareTexts(operator.text, this.expand(left.text), this.expand(this.tokens[this.at++]?.text ?? ''))
  }

  /** Skips the arguments of `Exists` and other functions, which ask about the machine. */
  private skipArguments(): undefined {
    while (this.at < this.tokens.length && !this.skip(')')) this.at++
  }

  private skip(operator: string): boolean {
    const token = this.tokens[this.at]
    if (token?.isOperator !== true || token.text !== operator) return false
    this.at++
    return true
  }

  private skipWord(word: string): boolean {
    if (this.tokens[this.at]?.text.toLowerCase() !== word) return false
    this.at++
    return true
  }
}

function toBoolean(text: string | undefined): Verdict {
  if (text !== undefined && /^(?:true|on|yes)$/i.test(text)) return true
  return text !== undefined && /^(?:false|off|no)$/i.test(text) ? false : undefined
}

/** Compares without regard to case, or as numbers. */
function compareTexts(operator: string, left: string | undefined, right: string | undefined): Verdict {
  if (left === undefined || right === undefined) return undefined
  const isNumeric = [left, right].every((text) => /^[+-]?\d+(?:\.\d+)?$/.test(text))
  const isEqual = left.toLowerCase() === right.toLowerCase() || (isNumeric && Number(left) === Number(right))
  if (operator === '==') return isEqual
  if (operator === '!=') return !isEqual
  if (!isNumeric) return undefined
  const difference = Number(left) - Number(right)
  return operator.startsWith('<')
    ? difference < 0 || (operator === '<=' && isEqual)
    : difference > 0 || (operator === '>=' && isEqual)
}
