import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Sabotage } from '../spelling.ts'
import { configured } from './configured.ts'
import { declared } from './declared.ts'
import { laterReleases } from './later-releases.ts'
import { hidden } from './script.ts'

export const gradle: Sabotage = {
  ecosystem: 'gradle',
  hidden,
  target: 'build.gradle',
  base: { 'build.gradle': "apply plugin: 'java'\nrepositories { mavenCentral() }\n" },
  spellings: [...declared, ...configured, ...laterReleases],
  async ask(folder, { name, version }) {
    const tasks = ['dependencies', ...(existsSync(join(folder, 'm')) ? [':m:dependencies'] : [])]
    const env = { ...process.env, GRADLE_USER_HOME: join(tmpdir(), 'gatehouse-sabotage-gradle') }
    try {
      const { stdout } = await promisify(execFile)('gradle', ['-q', '--no-daemon', ...tasks], { cwd: folder, env })
      const lines = linesOfClasspaths(stdout).filter((line) => line.includes(name))
      if (lines.some((line) => line.endsWith(' FAILED'))) return 'refuses'
      const chosen = lines.map((line) =>
        line
          .replace(/ \(.*\)$/, '')
          .split(/ -> |:/)
          .at(-1),
      )
      return chosen.includes(version) ? 'installs' : 'ignores'
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') throw error
      return 'refuses'
    }
  },
}

/** The lines of the report on what the product is compiled and run with. */
function linesOfClasspaths(report: string): string[] {
  const sections = report.split(/\n\s*\n/)
  return sections
    .filter((section) => /^(?:compile|runtime)Classpath\b/m.test(section))
    .flatMap((section) => section.split('\n'))
}
