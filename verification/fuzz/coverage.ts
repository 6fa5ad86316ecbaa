import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'

const CAPACITY = 65_536
const INSTRUMENTED =
  /\/(?:src\/(?:analysis|scanning|features\/package-tests)\/|test\/support\/manifests\/planted-)[^?]*\.ts$/
/** A text in the code is worth trying inside of an input. */
const LONGEST_TOKEN = 40

interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

interface Module {
  readonly from: number
  readonly to: number
  readonly tokens: readonly string[]
}

/** Branches of the instrumented modules and their counts: 1, 2, 3, 4–7, … */
export interface Coverage {
  readonly size: number
  /** Forgets what has run since the last call. */
  reset(): void
  /** Records the branches run since `reset`; returns true if any is new or ran more often. */
  learn(): boolean
  /** Branches that have run at all. */
  count(): number
  /** Texts that stand in the modules that have run. */
  tokens(): string[]
}

/**
 * Modules that are imported from now on count their branches: each block, each arm of a condition, each right side of a
 * logical operator, and each `if` that was passed over.
 */
export function startCoverage(): Coverage {
  const hits = new Uint8ClampedArray(CAPACITY)
  const seen = new Uint8Array(CAPACITY)
  const modules: Module[] = []
  let size = 0
  Object.assign(globalThis, { branchHits: hits })
  registerHooks({
    load(url, context, nextLoad) {
      if (!INSTRUMENTED.test(url)) return nextLoad(url, context)
      const code = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
      const { source, branches, tokens } = instrument(code, size)
      modules.push({ from: size, to: size + branches, tokens })
      size += branches
      if (size > CAPACITY) throw new RangeError('more branches than there is room for')
      return { format: 'module', source, shortCircuit: true }
    },
  })
  return {
    get size() {
      return size
    },
    reset: () => void hits.fill(0, 0, size),
    learn() {
      let isNew = false
      for (let at = 0; at < size; at++) {
        const times = hits[at]!
        if (times === 0) continue
        const bucket = 1 << Math.min(7, times <= 3 ? times - 1 : 32 - Math.clz32(times))
        if ((seen[at]! & bucket) !== 0) continue
        seen[at]! |= bucket
        isNew = true
      }
      return isNew
    },
    count: () => seen.subarray(0, size).reduce((sum, bits) => sum + (bits === 0 ? 0 : 1), 0),
    tokens() {
      const ran = modules.filter(({ from, to }) => seen.subarray(from, to).some((bits) => bits !== 0))
      return [...new Set(ran.flatMap(({ tokens }) => tokens))]
    },
  }
}

/** Adds counters without moving a line. */
export function instrument(code: string, first: number): { source: string; branches: number; tokens: string[] } {
  const insertions: [at: number, text: string][] = []
  const tokens: string[] = []
  let branches = 0
  const hit = () => `branchHits[${first + branches++}]++`
  const wrap = ({ start, end }: SyntaxNode) => insertions.push([start, `(${hit()},`], [end, ')'])
  const enter = (body: SyntaxNode, after = '') => {
    const [open, close] = body.type === 'BlockStatement' ? ['', ''] : ['{', '}']
    insertions.push([body.start + 1 - open.length, `${open}${hit()};`])
    if (close + after !== '') insertions.push([body.end, close + after])
  }
  visit(parseAst(code) as unknown as SyntaxNode, (node) => {
    const part = (name: string) => node[name] as SyntaxNode
    if (/^(?:For|ForIn|ForOf|While|DoWhile)Statement$|^CatchClause$|^FunctionDeclaration$/.test(node.type)) {
      enter(part('body'))
    } else if (/Function(?:Expression)?$/.test(node.type)) {
      if (part('body').type === 'BlockStatement') enter(part('body'))
      else wrap(part('body'))
    } else if (node.type === 'IfStatement') {
      enter(part('consequent'), part('alternate') ? '' : ` else ${hit()};`)
      if (part('alternate')) enter(part('alternate'))
    } else if (node.type === 'ConditionalExpression') {
      wrap(part('consequent'))
      wrap(part('alternate'))
    } else if (node.type === 'LogicalExpression') wrap(part('right'))
    else if (node.type === 'SwitchCase') {
      const statements = node['consequent'] as readonly SyntaxNode[]
      insertions.push([statements[0]?.start ?? node.end, `${hit()};`])
    } else if (node.type === 'Literal' && typeof node['value'] === 'string') {
      if (node['value'] !== '' && node['value'].length <= LONGEST_TOKEN) tokens.push(node['value'])
    }
  })
  return { source: insertAll(code, insertions), branches, tokens }
}

/** Parents before their children, so that of insertions at one place the outer opens first, and closes last. */
function visit(node: SyntaxNode, visitor: (node: SyntaxNode) => void): void {
  visitor(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') visit(child as SyntaxNode, visitor)
    }
  }
}

function insertAll(code: string, insertions: readonly [at: number, text: string][]): string {
  const isClosing = (text: string) => /^(?:[)}]| else )/.test(text)
  const places = new Map<number, { closing: string; opening: string }>()
  for (const [at, text] of insertions) {
    const place = places.get(at) ?? { closing: '', opening: '' }
    // What closes here was opened by an ancestor earlier than by its child.
    places.set(
      at,
      isClosing(text) ? { ...place, closing: text + place.closing } : { ...place, opening: place.opening + text },
    )
  }
  const sorted = [...places].sort(([a], [b]) => a - b)
  const parts = sorted.map(([at, { closing, opening }], index) => {
    const before = code.slice(index === 0 ? 0 : sorted[index - 1]![0], at)
    return before + closing + opening
  })
  return parts.join('') + code.slice(sorted.at(-1)?.[0] ?? 0)
}
