// cspell:ignore COMPREPLY CWORD zpty zmodload ZDOTDIR compinit bindkey fpath
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runCommand } from '#test/servers/command-line.ts'
import { shells } from './completion-scripts.ts'

describe('gatehouse completion', () => {
  const scripts: Record<string, string> = {}
  let folder: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-completion-'))
    mkdirSync(join(folder, 'services/shop'), { recursive: true })
    for (const shell of shells) {
      const { code, output, errors } = await runCommand(['completion', shell])
      assert.equal(code, 0, errors)
      scripts[shell] = output
    }
  })
  after(() => rmSync(folder, { recursive: true }))

  const lines: [typed: string, expected: string[]][] = [
    ['gatehouse pro', ['profiles', 'projects']],
    ['gatehouse projects d', ['delete']],
    ['gatehouse projects --na', ['--name']],
    ['gatehouse apps rotate-secret --ov', ['--overlap']],
    ['gatehouse projects show --pro', ['--profile']],
    ['gatehouse test --fail-on e', ['exploited']],
    ['gatehouse completion z', ['zsh']],
    ['gatehouse test services/sh', []],
  ]
  for (const [typed, expected] of lines) {
    test(`bash completion: "${typed}" gives ${expected.join(', ') || 'file names'}`, () => {
      const words = typed.split(' ')
      const probe = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _gatehouse; printf '%s\\n' "\${COMPREPLY[@]}"`
      const printed = execFileSync('bash', ['-c', `${scripts['bash']}\n${probe}`], { encoding: 'utf8' })
      assert.deepEqual(printed.trim().split('\n').filter(Boolean), expected)
    })
  }

  const isMissing = (shell: string) => spawnSync(shell, ['--version']).status !== 0 && `${shell} is not installed`
  const filled: [typed: string, shown: string[]][] = [
    ...lines.slice(0, -1),
    ['gatehouse test services/sh', ['services/shop/']],
    ['gatehouse test --json-file services/sh', ['services/shop/']],
  ]
  for (const [typed, expected] of filled) {
    test(`fish completion: "${typed}" gives ${expected.join(', ')}`, { skip: isMissing('fish') }, () => {
      const probe = `${scripts['fish']}\ncomplete -C ${JSON.stringify(typed)}`
      const printed = execFileSync('fish', ['--no-config', '-c', probe], { cwd: folder, encoding: 'utf8' })
      const offered = printed.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0]!]))
      assert.deepEqual(offered, expected)
    })
  }

  test('zsh completion: completes the same lines in a terminal', { skip: isMissing('zsh') }, () => {
    const shown = completeInZsh(filled.map(([typed]) => typed))
    for (const [at, [typed, expected]] of filled.entries()) {
      const line = expected.length === 1 ? typed.replace(/\S+$/, expected[0]!) : typed
      assert.ok(shown[at]!.includes(`LINE ${line}`), shown[at])
      for (const completion of expected) assert.ok(shown[at]!.includes(completion), shown[at])
    }
  })

  /** Presses Tab twice after each line in a zsh terminal; returns the list and the line shown then. */
  function completeInZsh(lines: readonly string[]): string[] {
    writeFileSync(join(folder, '_gatehouse'), scripts['zsh']!)
    // The line editor prints READY, and the line after Ctrl+X, so that the test never waits for a time.
    const settings = `PS1=; fpath=(${folder} $fpath); autoload -Uz compinit; compinit -u -D
      zle-line-init() { print -n READY }; zle -N zle-line-init
      show() { zle -I; print -r -- "LINE $BUFFER END"; BUFFER= }; zle -N show; bindkey '^X' show`
    writeFileSync(join(folder, '.zshrc'), settings)
    const commands = lines.map(
      (line) => `zpty -w -n inner ${JSON.stringify(line)}$'\\t\\t\\C-x'; zpty -r inner seen '*END'; print -r -- $seen`,
    )
    const script = ['zmodload zsh/zpty; zpty inner zsh -i; zpty -r inner seen "*READY"', ...commands].join('\n')
    const options = { cwd: folder, env: { PATH: process.env['PATH'], ZDOTDIR: folder, HOME: folder } }
    return execFileSync('zsh', ['-f', '-c', script], { ...options, encoding: 'utf8' }).split(' END')
  }

  test('completion: an unknown shell exits with 2', async () => {
    const { code, errors } = await runCommand(['completion', 'other'])
    assert.deepEqual([code, /bash, zsh, fish/.test(errors)], [2, true])
  })
})
