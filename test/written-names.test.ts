import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { pageNames } from '../tools/documentation/sections.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const ownFiles = { exclude: (name: string) => name.endsWith('node_modules') }
const documents = [
  ...globSync('*.md'),
  ...globSync('docs/**/*.md'),
  ...globSync('{src,test,tools,verification}/**/*.md', ownFiles),
]
const sources = globSync('{src,test,tools,verification,web,bin}/**/*', ownFiles)
const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts)

/** Returns the text between backticks outside of code blocks. */
function quoted(text: string): string[] {
  return [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, inside]) => inside!)
}

describe('docs/choices', () => {
  const pages = globSync('docs/choices/*.md')
  const rows = pages.flatMap((page) => read(page).split('\n')).filter((line) => /^\| (?!choice \|)/.test(line))
  const tests = sources.filter((path) => /\.test\.tsx?$|\/fixtures$/.test(path)).map((path) => `/${path}`)

  test('docs/choices: every row has a choice, a reason and the unambiguous end of a path of a test', () => {
    assert.ok(rows.length > 200)
    for (const row of rows) {
      const [choice, reason, names, ...rest] = row.slice(2, -2).split(' | ')
      assert.ok(choice && reason && names && rest.length === 0, row)
      for (const name of quoted(names)) {
        const ends = name.endsWith('/') ? [`/${name.slice(0, -1)}`] : [`/${name}.test.ts`, `/${name}.test.tsx`]
        const matches = tests.filter((path) => ends.some((end) => path.endsWith(end)))
        assert.equal(matches.length, 1, `${name} is the end of ${matches.join(', ') || 'no test'}, in the row ${row}`)
      }
    }
  })

  test('docs/choices: no choice is listed twice, and all pages have at most 60,000 bytes', () => {
    assert.equal(new Set(rows.map((row) => row.split(' | ')[0])).size, rows.length)
    const bytes = pages.reduce((sum, page) => sum + statSync(page).size, 0)
    assert.ok(bytes <= 60_000, `${bytes} bytes: shorten rows, or remove those that no client or operator needs`)
  })

  test('docs/choices: the index links every page', () => {
    const links = [...read('docs/choices/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, link]) => link)
    assert.deepEqual(
      links.toSorted(),
      pages
        .map((page) => basename(page))
        .filter((name) => name !== 'README.md')
        .toSorted(),
    )
  })
})

describe('ARCHITECTURE.md', () => {
  const text = read('ARCHITECTURE.md')
  const table = text.split('\n').filter((line) => /^\| `/.test(line))
  const folders = table.flatMap((row) => {
    const [first = '', ...others] = quoted(row.split(' | ')[0]!)
    // `src/foundation/git/`, `archives/`: later names are siblings of the first unless they have a full path.
    const beside = dirname(first.replace(/\/$/, ''))
    return [first, ...others.map((other) => (/^(src|bin|test|web|docs)\//.test(other) ? other : join(beside, other)))]
  })

  test('ARCHITECTURE.md: every named file and folder exists and is named once', () => {
    const plain = folders.map((folder) => folder.replace(/\/$/, ''))
    assert.ok(plain.length > 20)
    for (const folder of plain) assert.ok(globSync(folder).length > 0, folder)
    assert.deepEqual(
      plain.filter((folder, at) => plain.indexOf(folder) !== at),
      [],
    )
  })

  test('ARCHITECTURE.md: every folder of analysis and foundation is named', () => {
    const there = globSync('src/{analysis,foundation}/*/').map((folder) => folder.replace(/\/$/, ''))
    const tableFolders = new Set(folders.map((folder) => folder.replace(/\/$/, '')))
    assert.deepEqual(
      there.filter((folder) => !tableFolders.has(folder)),
      [],
    )
  })

  test('ARCHITECTURE.md: has at most 120 lines', () => assert.ok(text.trimEnd().split('\n').length <= 120))
})

describe('documents', () => {
  const fileNames = new Set([...sources, ...documents].map((path) => basename(path)))

  for (const document of documents.sort()) {
    test(`${document}: names existing files, commands and pages`, () => {
      const text = read(document)
      for (const [, target] of text.matchAll(/\]\((?!https?:|#|\/)([^)#]+)[^)]*\)/g)) {
        assert.ok(globSync(join(dirname(document), target!)).length > 0, target)
      }
      for (const name of quoted(text)) {
        // The first build creates it.
        if (name === 'docs/dist') continue
        if (/^(src|test|tools|verification|docs)\/[\w./*-]*$/.test(name)) assert.ok(globSync(name).length > 0, name)
        else if (/^[\w./-]+\.(test|job)?\.?tsx?$/.test(name)) assert.ok(fileNames.has(basename(name)), name)
        const script = /^npm run (?:-s )?([\w:]+)/.exec(name)?.[1]
        if (script !== undefined) assert.ok(scripts.includes(script), name)
        const page = /^\/docs\/([\w-]+)$/.exec(name)?.[1]
        if (page !== undefined) assert.ok([...pageNames, 'openapi.json'].includes(page), name)
      }
    })
  }

  test('decisions have unique numbers and titles that begin with them', () => {
    const numbers = globSync('docs/decisions/[0-9]*.md').map((file) => basename(file).slice(0, 4))
    assert.equal(new Set(numbers).size, numbers.length)
    for (const number of numbers) assert.match(number, /^\d{4}$/)
    for (const file of globSync('docs/decisions/[0-9]*.md'))
      assert.ok(read(file).startsWith(`# ${basename(file).slice(0, 4)} `), file)
  })

  test('decisions: docs/decisions/README.md links every page once, with its title', () => {
    const lines = globSync('docs/decisions/[0-9]*.md').map((file) => {
      const [, number, title] = /^# (\d{4}) (.+)/.exec(read(file))!
      return `- [${number}](${basename(file)}) ${title}`
    })
    const index = read('docs/decisions/README.md')
      .split('\n')
      .filter((line) => line.startsWith('- '))
    assert.deepEqual(index.toSorted(), lines.toSorted())
  })
})
