// cspell:ignore rhysd
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Lints the recipe for GitHub with actionlint, where its comments say that it is copied to. Build it with
 * `go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12`, and name it as the argument or have it on the PATH.
 */
const [program = 'actionlint'] = process.argv.slice(2)
if (spawnSync(program, ['-version']).status !== 0) {
  console.log('Skipped: actionlint is not installed.')
} else {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-actionlint-'))
  try {
    execFileSync('git', ['init', '--quiet', folder])
    const workflows = join(folder, '.github/workflows')
    const action = join(folder, '.github/actions/gatehouse')
    for (const folder of [workflows, action]) mkdirSync(folder, { recursive: true })
    copyFileSync('docs/ci/github/workflow.yml', join(workflows, 'gatehouse.yml'))
    copyFileSync('docs/ci/github/action.yml', join(action, 'action.yml'))
    const { status } = spawnSync(program, ['-no-color'], { cwd: folder, stdio: 'inherit' })
    process.exitCode = status ?? 2
    if (status === 0) console.log('actionlint finds nothing.')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
