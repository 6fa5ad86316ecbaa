import { applySetting, POLICY_FILE, type PolicyExclusion, type PolicySetting } from '../policy-files/policy-file.ts'
import { readPolicy } from '../policy-files/read-policy.ts'
import { budgetOf, type GlobBudget, Globs, MAX_STEPS } from './glob.ts'
import type { Tree } from './tree.ts'
import { folderOf, isBelow, nameOf, seenFrom } from './tree-paths.ts'

/** Maximum number of policy files whose exclusions are applied. */
const MAX_FILES = 100
const MAX_TOTAL_CHARACTERS = 1_000_000

export interface TreeExclusions {
  /** Returns the path of the policy file that excludes a file; undefined for none. */
  excludedBy(path: string): string | undefined
  /** Sentences about exclusions that are not applied, complete after all paths were looked up. */
  readonly notes: readonly string[]
}

interface Placed {
  readonly path: string
  excludes(path: string): boolean
}

/** Reads the exclusions of the policy files of a tree. Each holds at and below the folder of its file. */
export async function readTreeExclusions(
  tree: Tree,
  { setting, at, isLeftOut }: { setting: PolicySetting; at: number; isLeftOut(path: string): boolean },
): Promise<TreeExclusions> {
  const all = [...tree.paths].filter((path) => nameOf(path) === POLICY_FILE && !isLeftOut(path)).sort(byDepth)
  if (all.length === 0) return { excludedBy: () => undefined, notes: [] }
  const files = all.slice(0, MAX_FILES)
  const texts = await tree.read(files)
  const budget = budgetOf(tree)
  const notes: string[] = []
  const placed: Placed[] = []
  let characters = 0
  for (const path of files) {
    const text = texts.get(path)
    if (text === undefined) notes.push(`${path} could not be read, so it excludes nothing.`)
    if (text === undefined || !/exclude/.test(text)) continue
    characters += text.length
    if (characters > MAX_TOTAL_CHARACTERS) {
      notes.push(
        `Policy files have more than ${MAX_TOTAL_CHARACTERS} characters; ${path} and those after it exclude nothing.`,
      )
      break
    }
    const read = readPolicy(text)
    const { exclusions } = applySetting({ ...read, rules: [] }, setting)
    const lost = read.exclusions.length - exclusions.length
    if (lost > 0) notes.push(`${path}: ${lost} of its exclusions not applied, since the organization ${why[setting]}.`)
    else if (read.exclusions.length === 0) notes.push(...read.notes.map((note) => `${path}: ${note}.`))
    const current = exclusions.filter(({ expiresAt }) => expiresAt === null || expiresAt > at)
    placed.push({ path, excludes: toMatcher(current, { folder: folderOf(path), budget }) })
  }
  if (all.length > MAX_FILES) notes.push(`Of ${all.length} policy files, the first ${MAX_FILES} exclude.`)
  return {
    excludedBy: (path) => placed.find(({ excludes }) => excludes(path))?.path,
    get notes() {
      return budget.isSpent ? [...notes, SPENT] : notes
    },
  }
}

const SPENT = `The patterns of the policy files and workspaces take more than ${MAX_STEPS.toLocaleString('en')} steps, so some are not applied.`
const why = { allow: '', 'require-reason': 'requires a reason', forbid: 'forbids policy files' } as const

function byDepth(a: string, b: string): number {
  return a.split('/').length - b.split('/').length || (a < b ? -1 : 1)
}

/**
 * Matches a file or a folder above it: a pattern without an inner slash at any depth, others from the top
 * (gitignore(5)).
 */
function toMatcher(
  exclusions: readonly PolicyExclusion[],
  { folder, budget }: { folder: string; budget: GlobBudget },
): (path: string) => boolean {
  const isOfFolders = exclusions.map(({ pattern }) => pattern.endsWith('/'))
  const patterns = exclusions.map(({ pattern }) => {
    const bare = pattern.replace(/^\.\//, '/').replace(/\/+$/, '')
    return bare.includes('/') || bare === '' || bare === '.' ? bare : `**/${bare}`
  })
  const globs = new Globs(patterns, budget)
  return (path) => {
    if (!isBelow(path, folder)) return false
    const levels = globs.matchingLevels(seenFrom(folder, path))
    return levels.some((ends, level) => ends.some((index) => level < levels.length - 1 || !isOfFolders[index]))
  }
}
