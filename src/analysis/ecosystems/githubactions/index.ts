import { actionsVersions, findRelease } from '#analysis/versions/actions.ts'
import type { Ecosystem } from '../ecosystem.ts'

/** Workflows and composite actions of GitHub Actions, whose `uses` name actions and reusable workflows. */
export const githubactions = {
  id: 'githubactions',
  label: 'GitHub Actions',
  language: 'yaml',
  packageManager: 'githubactions',
  registry: 'GitHub Actions',
  versions: actionsVersions,
  manifestName: /^action\.ya?ml$/,
  fixAdvice: 'upgrade',
  takesRepositories: false,
  about:
    'The target is a workflow of `.github/workflows`, or an `action.yml`. Commits are tested as the version in the comment behind them.',
  raiseRange,
  read: async (manifest, _registries, options) => (await import('./read-workflow.ts')).readWorkflow(manifest, options),
  locate: async (manifest) => (await import('./locate.ts')).locate(manifest),
} satisfies Ecosystem

/** Names the tag of a version. The commit of a release is unknown, so a comment asks to pin it again. */
function raiseRange(written: string, version: string): string {
  const mark = findRelease(written)?.startsWith('v') ? 'v' : ''
  const tag = `${mark}${version.replace(/^v/, '')}`
  return written === findRelease(written) ? tag : `${tag} # pin to the commit of this tag`
}
