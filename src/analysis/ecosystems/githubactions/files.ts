import { textKind } from '../../discovery/file-kinds/make-kinds.ts'
import { lockLayout } from '../../discovery/projects-in-tree/lock-layout.ts'
import type { EcosystemFiles } from '../ecosystem-files.ts'

/** Each workflow and each action with steps is a project, if it uses something. */
export const actionsFiles: EcosystemFiles = {
  ecosystem: 'githubactions',
  kinds: [
    textKind({
      id: 'workflow',
      label: 'a workflow of GitHub Actions',
      all: [/^(?:on|"on"|'on')[ \t]*:/m, /^(?:jobs|"jobs"|'jobs')[ \t]*:/m],
    }),
    textKind({
      id: 'action.yml',
      label: 'an action of GitHub (action.yml)',
      names: /^action\.ya?ml$/,
      all: [/^runs[ \t]*:/m, /^[ \t]+["']?using["']?[ \t]*:/m],
    }),
  ],
  target: ['workflow', 'action.yml'],
  additional: [],
  example: [
    'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: tj-actions/changed-files@v45.0.7\n',
  ],
  layout: lockLayout({
    ecosystem: 'githubactions',
    manifest: /(?:^|\/)(?:\.github\/workflows\/[^/]+|action)\.ya?ml$/,
    isProject: (text) => /\buses["']?[ \t]*:/.test(text),
  }),
}
