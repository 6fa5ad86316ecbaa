import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sampleRepositories } from './sample-projects.ts'
import { toSvg } from './terminal-svg.ts'

const root = join(import.meta.dirname, '../..')
const target = join(root, 'docs/images')
const ROWS = 200
const SECONDS = 60
/** Printed after the command. */
const END = 'end-of-recording'

/** Recordings of the command line in a terminal. All test the same folder. */
const recordings = [
  { name: 'test-wide', columns: 120, command: 'gatehouse test --local --severity-threshold critical' },
  { name: 'test-narrow', columns: 80, command: 'gatehouse test --local --severity-threshold critical' },
  { name: 'test-piped', columns: 80, command: 'gatehouse test --local --severity-threshold critical | cat' },
] as const

await recordAll()

/** Runs each command in a terminal of tmux, and writes what the screen shows then. */
async function recordAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-recordings-'))
  const socket = `recording-${process.pid}`
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' })
  try {
    const environment = prepare(folder)
    for (const { name, columns, command } of recordings) {
      const size = ['-x', String(columns), '-y', String(ROWS)]
      tmux('new-session', '-d', '-s', name, ...size, '-c', join(folder, 'web'), 'env', ...environment, 'sh')
      tmux('send-keys', '-t', name, `clear; ${command}; echo ${END}`, 'Enter')
      await waitFor(() => tmux('capture-pane', '-p', '-t', name).includes(`\n${END}\n`))
      const screen = tmux('capture-pane', '-e', '-p', '-t', name)
      write(name, { columns, command, screen })
    }
  } finally {
    spawnSync('tmux', ['-L', socket, 'kill-server'])
    rmSync(folder, { recursive: true })
  }
}

/** Makes the folder that is tested, and returns the shell's environment: no cache, no network, no server. */
function prepare(folder: string): string[] {
  const { files } = sampleRepositories().find(({ name }) => name === 'shop/web')!
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, 'web', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const program = join(folder, 'bin/gatehouse')
  mkdirSync(dirname(program))
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/gatehouse.js')}' "$@"\n`)
  chmodSync(program, 0o755)
  const variables = {
    PATH: `${dirname(program)}:${process.env['PATH']}`,
    HOME: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
    GATEHOUSE_URL: '',
    NO_COLOR: '',
    CI: '',
    PS1: '$ ',
  }
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`)
}

async function waitFor(isDone: () => boolean): Promise<void> {
  const end = Date.now() + SECONDS * 1000
  while (!isDone()) {
    if (Date.now() > end) throw new Error(`The command did not end within ${SECONDS} seconds.`)
    await setTimeout(100)
  }
}

interface Recorded {
  readonly columns: number
  readonly command: string
  readonly screen: string
}

function write(name: string, { columns, command, screen }: Recorded): void {
  const lines = screen.split('\n')
  lines.length = lines.findIndex((line) => line.includes(END))
  writeFileSync(join(target, `${name}.svg`), toSvg([`$ ${command}`, ...lines], columns))
}
