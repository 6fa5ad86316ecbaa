import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file of a commit. `mode` is git's: 120000 makes a link, 160000 a submodule whose content is a commit's id. */
export interface CommittedFile {
  readonly path: string | Buffer
  readonly content: string | Buffer
  readonly mode?: '100644' | '100755' | '120000' | '160000'
}

export interface BareRepository extends Disposable {
  readonly path: string
  /** Adds a commit that has exactly these files; returns its id. */
  commit(files: readonly CommittedFile[], options?: { readonly branch?: string }): string
  /** Runs git there. */
  git(args: readonly string[], input?: string | Buffer): string
}

/** A bare repository in a temporary folder, with `main` as its default branch. */
export function bareRepository({ format = 'sha1' }: { format?: 'sha1' | 'sha256' } = {}): BareRepository {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-git-'))
  const path = join(folder, 'repository.git')
  const env = {
    PATH: process.env['PATH']!,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@registry.example',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@registry.example',
  }
  const run = (args: readonly string[], input?: string | Buffer) =>
    execFileSync('git', args as string[], { env, input, stdio: ['pipe', 'pipe', 'pipe'], maxBuffer: 256 * 1024 * 1024 })
      .toString()
      .trim()
  run(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', `--object-format=${format}`, path])
  const git = (args: readonly string[], input?: string | Buffer) => run(['--git-dir', path, ...args], input)
  let time = 1_700_000_000

  return {
    path,
    git,
    commit(files, { branch = 'main' } = {}) {
      time++
      const pieces: (string | Buffer)[] = [
        `commit refs/heads/${branch}\nmark :1\n`,
        `committer A <a@registry.example> ${time} +0000\ndata 1\nx\n`,
        'deleteall\n',
      ]
      for (const { path: name, content, mode = '100644' } of files) {
        const quoted = [Buffer.from('"'), escapePath(Buffer.from(name as string)), Buffer.from('"\n')]
        if (mode === '160000') pieces.push(`M 160000 ${content} `, ...quoted)
        else pieces.push(`M ${mode} inline `, ...quoted, `data ${Buffer.byteLength(content)}\n`, content, '\n')
      }
      pieces.push('get-mark :1\n')
      return git(
        ['fast-import', '--quiet', '--force'],
        Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))),
      )
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** As fast-import quotes a path: in octal where it is not plain. */
function escapePath(path: Buffer): Buffer {
  const characters = [...path].map((byte) => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
    return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  })
  return Buffer.from(characters.join(''), 'latin1')
}
