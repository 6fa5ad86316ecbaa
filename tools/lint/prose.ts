import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { type Finding, judgeTexts } from './prose-rules.ts'
import { textsOfMarkdown, textsOfSource } from './texts.ts'

/** Data, generated files and quotations: their words are not ours. */
const excluded = /(?:^|\/)fixtures\/|starter-set\/|\.generated\.ts$|^docs\/interface\/|^tools\/lint\/prose/

/** Checks the comments, strings and documents of the repository, or of the given files. */
export function checkProse(files: readonly string[] = proseFiles()): Finding[] {
  return files.flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    return judgeTexts(path, path.endsWith('.md') ? textsOfMarkdown(text) : textsOfSource(path, text))
  })
}

function proseFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.md'], {
    encoding: 'utf8',
  })
  return listed.split('\n').filter((path) => path !== '' && !excluded.test(path) && existsSync(path))
}

if (import.meta.main) {
  const paths = process.argv.slice(2)
  const findings = checkProse(paths.length > 0 ? paths : undefined)
  for (const { path, line, rule, words, advice } of findings)
    console.log(`${path}:${line} ${rule}: “${words}” – ${advice}`)
  console.log(`${findings.length} findings in prose`)
  process.exitCode = findings.length > 0 ? 1 : 0
}
