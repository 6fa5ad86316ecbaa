import { isBelow, seenFrom } from '#analysis/discovery/projects-in-tree/tree-paths.ts'
import { applyEdits, type Edit, type ProjectFile } from '#analysis/fixes/edit.ts'
import { NOT_SET } from '#analysis/fixes/maven-edits.ts'
import { findOverrideFile, hasOverrides, type Override, planOverrides } from '#analysis/fixes/overrides.ts'
import { NOT_DECLARED, planEdits } from '#analysis/fixes/plan-edits.ts'
import type { CompareVersions } from '../best-upgrades.ts'
import type { ProjectToFix } from './project-to-fix.ts'
import { type FixableIssue, type Remedy, SEVERAL_VERSIONS } from './remedies.ts'
import type { ChangedFile } from './write-files.ts'

/** Remedies that are made together or not at all, for the issues that they should end. */
export interface Step {
  readonly project: ProjectToFix
  readonly remedies: readonly Remedy[]
  readonly issues: readonly FixableIssue[]
}

export interface PlannedStep extends Step {
  readonly edits: readonly Edit[]
  readonly overrides: readonly { readonly file: ProjectFile; readonly override: Override }[]
}

/** Finds the edits of a step, or the reason why it cannot be made. */
export async function planStep(step: Step): Promise<PlannedStep | { readonly problem: string }> {
  const { files } = step.project
  if (files === undefined) return { problem: 'its files cannot be read' }
  const { id } = files.ecosystem
  const edits: Edit[] = []
  const overrides: PlannedStep['overrides'][number][] = []
  for (const remedy of step.remedies) {
    const planned = await planEdits(files, remedy)
    if ('edits' in planned) edits.push(...planned.edits)
    const isRepeated = remedy.isOverride && SEVERAL_VERSIONS.includes(id)
    if ('edits' in planned && !isRepeated) continue
    if ('problem' in planned && !(remedy.isOverride && [NOT_DECLARED, NOT_SET].includes(planned.problem)))
      return planned
    const file = hasOverrides(id) ? findOverrideFile(files) : undefined
    if (file === undefined) return { problem: NOT_DECLARED }
    const override = { name: remedy.name, to: remedy.to, isDirect: 'edits' in planned }
    const added = planOverrides(id, file, [override])
    if ('problem' in added) return added
    overrides.push({ file, override })
  }
  const changed = [...edits, ...overrides.map(({ file }) => file)]
  const outside = changed.find(({ path }) => !isBelow(path, step.project.folder))
  if (outside === undefined) return { ...step, edits, overrides }
  const path = seenFrom(step.project.folder, outside.path)
  return { problem: `its version is in ${path}, outside of this folder. Fix the folder of that file` }
}

/** Returns the files as they are after all steps. */
export function applySteps(steps: readonly PlannedStep[], compare: CompareVersions): ChangedFile[] {
  const texts = new Map<string, string>()
  const edits = new Map<string, Edit>()
  for (const { project, edits: own } of steps) {
    const { packageManager } = project.tested
    for (const { path, text } of project.files!.files) texts.set(path, text)
    for (const edit of own) keepHigher(edits, edit, (one, other) => compare(packageManager, one, other))
  }
  for (const edit of editsOfOverrides(steps, compare)) {
    keepHigher(edits, edit, (one, other) => compare(steps[0]!.project.tested.packageManager, one, other))
  }
  const files = [...Map.groupBy(edits.values(), ({ path }) => path)].map(([path, own]) => {
    const before = texts.get(path)!
    return { path, before, after: applyEdits(before, own) }
  })
  return files.filter(({ before, after }) => before !== after)
}

/** Plans the overrides of each file together: of one package's the highest version counts. */
function editsOfOverrides(steps: readonly PlannedStep[], compare: CompareVersions): Edit[] {
  const all = steps.flatMap(({ project, overrides }) =>
    overrides.map((override) => ({ ...override, id: project.tested.packageManager })),
  )
  return [...Map.groupBy(all, ({ file }) => file.path).values()].flatMap((group) => {
    const { id, file } = group[0]!
    const highest = new Map<string, Override>()
    for (const { override } of group) {
      const existing = highest.get(override.name)
      if (existing === undefined || compare(id, existing.to, override.to) < 0) highest.set(override.name, override)
    }
    const planned = planOverrides(id, file, [...highest.values()])
    return 'edits' in planned ? planned.edits : []
  })
}

/** Adds an edit. Projects share files: of two edits of the same place, keeps the higher version. */
function keepHigher(edits: Map<string, Edit>, edit: Edit, compare: (one: string, other: string) => number): void {
  const key = `${edit.path}:${edit.start}:${edit.end}`
  const existing = edits.get(key)
  const version = ({ text }: Edit) => text.replace(/^\D*/, '')
  if (existing === undefined || compare(version(existing), version(edit)) < 0) edits.set(key, edit)
}
