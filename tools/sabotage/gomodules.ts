import { damagedTexts, spelling } from './lock-texts.ts'
import type { Hidden, ProjectFiles, Sabotage, Spelling } from './spelling.ts'

const hidden: Hidden = {
  name: 'github.com/dgrijalva/jwt-go',
  version: 'v3.2.0+incompatible',
  isAnyVersion: true,
}
const MOD = 'Go Modules Reference (go.dev/ref/mod)'
const HEAD = 'module example.test/project\n\ngo 1.21\n\n'
const OLD = `${hidden.name} ${hidden.version}`
/** A list without any indirect module may not be whole. */
const INDIRECT = 'require github.com/pkg/errors v0.9.1 // indirect\n'

interface Written {
  readonly others?: ProjectFiles
  readonly tool?: Spelling['tool']
}

const asText = (name: string, text: string, { others = {}, tool = 'installs' }: Written = {}): Spelling =>
  spelling(name, MOD, { 'go.mod': text, ...others }, { tool, isAsked: false })
const mod = (name: string, lines: string, written: Written = {}): Spelling =>
  asText(name, `${HEAD}${INDIRECT}${lines}\n`, written)
const sum = (lines: string): ProjectFiles => ({ 'go.sum': lines })
const vendored = (lines: string): ProjectFiles => ({ 'vendor/modules.txt': lines })
const SUM = `${OLD} h1:7qlOGliEKZXTDg6OTjfoBKDXWrumCAMpl/TFQ4/5kLM=\n`
const SAFE = 'require example.test/safe v1.0.0\n'
const before117 = (lines: string) => HEAD.replace('1.21', '1.16') + lines
const LISTED = `# ${OLD}\n## explicit\n${hidden.name}\n# github.com/pkg/errors v0.9.1\n## explicit\n`

const lines: readonly Spelling[] = [
  mod('require', `require ${OLD}`),
  mod('block', `require (\n\t${OLD}\n)`),
  mod('block without a space', `require(\n\t${OLD}\n)`),
  mod('indirect', `require ${OLD} // indirect`),
  mod('comment behind', `require ${OLD} // harmless`),
  mod('comment between', `// harmless\nrequire ${OLD}`),
  mod('quoted', `require "${hidden.name}" "${hidden.version}"`),
  mod('raw text', `require \`${hidden.name}\` ${hidden.version}`),
  mod('white space', `\trequire\t\t${OLD.replace(' ', '\t')}  `),
  mod('twice, the older last', `require ${hidden.name} v3.0.0+incompatible\nrequire ${OLD}`),
  mod('short version', `require ${hidden.name} v3.2.0`),
  mod('pseudo-version', `require ${hidden.name} v0.0.0-20180308231308-06ea1031745c`),
  mod('branch', `require ${hidden.name} master`),
  mod('query', `require ${hidden.name} <v4`),
  mod('latest', `require ${hidden.name} latest`),
  mod(
    'replaced with its older version',
    `require ${hidden.name} v4.0.0+incompatible\nreplace ${hidden.name} => ${OLD}`,
  ),
  mod(
    'version replaced with its older version',
    `require ${hidden.name} v4.0.0+incompatible\nreplace ${hidden.name} v4.0.0+incompatible => ${OLD}`,
  ),
  mod('replaces another module', `require example.test/safe v1.0.0\nreplace example.test/safe => ${OLD}`),
  mod(
    'replaces another module, in a block',
    `require example.test/safe v1.0.0\nreplace (\n\texample.test/safe v1.0.0 => ${OLD}\n)`,
  ),
  mod('replaced by a fork', `require ${OLD}\nreplace ${hidden.name} => example.test/fork v1.0.0`, { tool: 'ignores' }),
  mod('replaced by a folder', `require ${OLD}\nreplace ${hidden.name} => ../jwt-go`),
  mod('replaced by a folder of Windows', `require ${OLD}\nreplace ${hidden.name} => ..\\jwt-go`),
  mod('replaced by an absolute folder', `require ${OLD}\nreplace ${hidden.name} => /srv/jwt-go`),
  mod('replaced by a branch', `require ${OLD}\nreplace ${hidden.name} => ${hidden.name} master`),
  mod('replacement of another version', `require ${OLD}\nreplace ${hidden.name} v1.0.0 => example.test/fork v1.0.0`),
  mod('another version excluded', `require ${OLD}\nexclude ${hidden.name} v4.0.0+incompatible`),
  mod('excluded itself', `require ${OLD}\nexclude ${OLD}`),
  mod('toolchain', `toolchain go1.21.0\nrequire ${OLD}`),
  mod('tool', `tool ${hidden.name}/cmd/jwt\nrequire ${OLD}`),
  mod('retracted versions of the project', `retract v1.0.0\nrequire ${OLD}`),
  mod('directive that is not known', `need ${OLD}`, { tool: 'refuses' }),
  mod('block that is not closed', `require (\n\t${OLD}`, { tool: 'refuses' }),
  mod('without a version', `require ${hidden.name}`, { tool: 'refuses' }),
  mod('comment in the style of C', `/* harmless */ require ${OLD}`, { tool: 'refuses' }),
  asText('without a go directive', `module example.test/project\nrequire ${OLD}\n`),
  asText('without indirect modules', `${HEAD}${SAFE}`),
  asText('without requirements', HEAD, { tool: 'ignores' }),
  asText('before 1.17, only below another module', before117(SAFE)),
  asText('before 1.17, only in go.sum', before117(SAFE), {
    others: sum(`${SUM}example.test/safe v1.0.0 h1:7qlOGliEKZXTDg6OTjfoBKDXWrumCAMpl/TFQ4/5kLM=\n`),
  }),
  asText('before 1.17, in go.sum with carriage returns', before117(SAFE), {
    others: sum(
      `${SUM}example.test/safe v1.0.0 h1:7qlOGliEKZXTDg6OTjfoBKDXWrumCAMpl/TFQ4/5kLM=\n`.replaceAll('\n', '\r\n'),
    ),
  }),
  asText('since 1.17 without indirect modules, in go.sum', `${HEAD}${SAFE}`, { others: sum(SUM) }),
]

const vendor: readonly Spelling[] = [
  mod('vendored', `require ${OLD}`, { others: vendored(LISTED) }),
  mod('vendored in another version', `require ${hidden.name} v4.0.0+incompatible`, {
    others: vendored(LISTED),
    tool: 'refuses',
  }),
  mod('required in another version than vendored', `require ${OLD}`, {
    others: vendored(LISTED.replace('v3.2.0', 'v4.0.0')),
    tool: 'refuses',
  }),
  mod('vendored without requirement', '', { others: vendored(LISTED), tool: 'refuses' }),
  mod('required, not vendored', `require ${OLD}`, {
    others: vendored('# github.com/pkg/errors v0.9.1\n## explicit\ngithub.com/pkg/errors\n'),
    tool: 'refuses',
  }),
  mod('vendored as a replacement', `require example.test/safe v1.0.0\nreplace example.test/safe => ${OLD}`, {
    others: vendored(
      `# example.test/safe v1.0.0 => ${OLD}\n## explicit\nexample.test/safe\n# example.test/safe => ${OLD}\n`,
    ),
  }),
  mod('vendored from a folder', `require ${OLD}\nreplace ${hidden.name} => ./fork`, {
    others: vendored(`# ${OLD} => ./fork\n## explicit\n${hidden.name}\n`),
  }),
  spelling('only vendored', MOD, { 'vendor/modules.txt': LISTED }, { isAsked: false }),
  mod('package of no module', '', { others: vendored(`${hidden.name}\n`), tool: 'refuses' }),
]

const work = (name: string, text: string, others: ProjectFiles, tool: Spelling['tool'] = 'installs'): Spelling =>
  spelling(`go.work: ${name}`, MOD, { 'go.work': text, ...others }, { tool, isAsked: false })
const WORK = 'go 1.21\n\nuse (\n\t./root\n\t./member\n)\n'
const MEMBER = `module example.test/member\n\ngo 1.21\n\n${INDIRECT}require ${OLD}\n`
const ROOT = `${HEAD}${INDIRECT}`

const workspaces: readonly Spelling[] = [
  work('member', WORK, { 'root/go.mod': ROOT, 'member/go.mod': MEMBER }),
  work('member that was not sent', WORK, { 'root/go.mod': ROOT }),
  work('no member was sent', WORK, {}),
  work('replacement', `${WORK}replace example.test/safe => ${OLD}\n`, {
    'root/go.mod': `${ROOT}require example.test/safe v1.0.0\n`,
    'member/go.mod': MEMBER.replace(`require ${OLD}\n`, ''),
  }),
  work('replacement by a folder', `${WORK}replace ${hidden.name} => ./jwt\n`, {
    'root/go.mod': ROOT,
    'member/go.mod': MEMBER,
  }),
]

export const gomodules: Sabotage = {
  ecosystem: 'gomodules',
  hidden,
  target: 'go.mod',
  base: { 'go.mod': ROOT },
  spellings: [
    ...lines,
    ...vendor,
    ...workspaces,
    ...damagedTexts('go.mod', { files: { 'go.mod': `${ROOT}require ${OLD}\n` }, source: MOD, cutAt: hidden.version }),
    ...damagedTexts('vendor/modules.txt', {
      files: { 'go.mod': `${ROOT}require ${OLD}\n`, 'vendor/modules.txt': LISTED },
      source: MOD,
      cutAt: hidden.version,
    }),
  ],
}
