// cspell:ignore COMPREPLY CWORD
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { before, describe, test } from 'node:test'
import { runCommand } from '#test/servers/command-line.ts'
import { shells } from './completion-scripts.ts'

describe('gatehouse completion', () => {
  const scripts: Record<string, string> = {}
  before(async () => {
    for (const shell of shells) {
      const { code, output, errors } = await runCommand(['completion', shell])
      assert.equal(code, 0, errors)
      scripts[shell] = output
    }
  })

  const lines: [typed: string, expected: string[]][] = [
    ['gatehouse pro', ['profiles', 'projects']],
    ['gatehouse projects d', ['delete']],
    ['gatehouse apps rotate-secret --ov', ['--overlap']],
    ['gatehouse projects show --pro', ['--profile']],
    ['gatehouse test services/sh', []],
  ]
  for (const [typed, expected] of lines) {
    test(`bash: "${typed}" is completed with ${expected.join(', ') || 'file names'}`, () => {
      const words = typed.split(' ')
      const probe = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _gatehouse; printf '%s\\n' "\${COMPREPLY[@]}"`
      const printed = execFileSync('bash', ['-c', `${scripts['bash']}\n${probe}`], { encoding: 'utf8' })
      assert.deepEqual(printed.trim().split('\n').filter(Boolean), expected)
    })
  }

  for (const shell of ['zsh', 'fish']) {
    const isThere = spawnSync(shell, ['--version']).status === 0
    test(`${shell}: the script has no syntax error`, { skip: !isThere && `${shell} is not installed` }, () => {
      execFileSync(shell, ['-n'], { input: scripts[shell]! })
    })
  }

  test('an unknown shell is refused', async () => {
    const { code, errors } = await runCommand(['completion', 'other'])
    assert.deepEqual([code, /bash, zsh, fish/.test(errors)], [2, true])
  })
})
