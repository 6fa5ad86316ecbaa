import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { REGISTRY } from './package-json.ts'
import { gemfileLocks } from './rubygems-locks.ts'
import type { Hidden, ProjectFiles, Sabotage, Spelling } from './spelling.ts'

const hidden: Hidden = { name: 'rack', version: '2.0.1' }
const DOCS = "Bundler's documentation, Gemfile"

interface Written {
  readonly tool?: Spelling['tool']
  readonly others?: ProjectFiles
  readonly isAsked?: false
}

/** Adds lines to the Gemfile; the project loses its lock, which would not know of them. */
function lines(name: string, text: string, { tool = 'installs', others = {}, isAsked }: Written = {}): Spelling {
  return {
    name,
    source: DOCS,
    tool,
    ...(isAsked === false && { isAsked }),
    plant({ Gemfile, ...files }) {
      const { 'Gemfile.lock': _, ...rest } = files
      return { ...rest, Gemfile: `${Gemfile!.trimEnd()}\n${text}\n`, ...others }
    },
  }
}

const requirements: readonly Spelling[] = [
  lines('exact version', "gem 'rack', '2.0.1'"),
  lines('exact version with =', 'gem "rack", "= 2.0.1"'),
  lines('exact version without white space', 'gem "rack", "=2.0.1"'),
  lines('brackets', "gem('rack', '2.0.1')"),
  lines('brackets after white space', "gem ( 'rack' ), '2.0.1'", { isAsked: false }),
  lines('pessimistic bound', "gem 'rack', '~> 2.0.0', '< 2.0.9'"),
  lines('two bounds', "gem 'rack', '>= 2.0.1', '< 2.0.9'"),
  lines('two bounds as a list', "gem 'rack', ['>= 2.0.1', '< 2.0.9']"),
  lines('exclusion', "gem 'rack', '< 3', '!= 2.0.9'"),
  lines('upper bound', "gem 'rack', '<= 2.0.1'"),
  lines('words', 'gem *%w[rack 2.0.1]'),
  lines('version as words', "gem 'rack', %w[>=2.0.1 <2.0.9]"),
  lines('quotes of another kind', 'gem %q(rack), %q(2.0.1)'),
  lines('quotes of a third kind', 'gem %Q{rack}, %{2.0.1}'),
  lines('quotes with bars', 'gem %q|rack|, %q|2.0.1|'),
  lines('frozen texts', "gem 'rack'.freeze, '2.0.1'.freeze"),
  lines('texts put together', "gem 'ra' + 'ck', '2.0' + '.1'"),
  lines('texts side by side', "gem 'ra' 'ck', '2.0' '.1'"),
  lines('symbol for the name', "gem :rack, '2.0.1'", { isAsked: false }),
  lines('escapes', 'gem "r\\x61ck", "2.0.\\x31"'),
  lines('escape in the version', 'gem "rack", "2.0.\\61"'),
  lines('no requirement', "gem 'rack'", { tool: 'ignores' }),
  lines('comment', "# gem 'rack', '2.0.1'", { tool: 'ignores' }),
  lines('block comment', "=begin\ngem 'rack', '2.0.1'\n=end", { tool: 'ignores' }),
  lines('after the end of the program', "__END__\ngem 'rack', '2.0.1'", { tool: 'ignores' }),
]

const statements: readonly Spelling[] = [
  lines('several lines', "gem 'rack',\n  '2.0.1'"),
  lines('line that is continued', "gem 'rack', \\\n  '2.0.1'"),
  lines('two statements on one line', "gem 'other', '1.0'; gem 'rack', '2.0.1'"),
  lines('statement after another', "puts 'harmless'; gem 'rack', '2.0.1'"),
  lines('statement after an assignment', "a = 'harmless'; gem 'rack', '2.0.1'"),
  lines('comment at the end', "gem 'rack', '2.0.1' # harmless, '3.1.8'"),
  lines('options before their values', "gem 'rack', '2.0.1', require: false, force_ruby_platform: false"),
  lines('old options', "gem 'rack', '2.0.1', :require => ['rack', 'rack/utils']"),
  lines('variable', "v = '2.0.1'\ngem 'rack', v"),
  lines('variable that is assigned twice', "v = '3.1.8'\nv = '2.0.1'\ngem 'rack', v"),
  lines('variable that is assigned under a condition', "v = '3.1.8'\nv = '2.0.1' if true\ngem 'rack', v"),
  lines('variable that is added to', "v = '2.0'\nv += '.1'\ngem 'rack', v"),
  lines('variable that is changed', "v = +'3.1.8'\nv.replace('2.0.1')\ngem 'rack', v"),
  lines('variables assigned together', "a, v = '3.1.8', '2.0.1'\ngem 'rack', v"),
  lines('variable with a default', "v = nil\nv ||= '2.0.1'\ngem 'rack', v"),
  lines('constant', "RACK = '2.0.1'.freeze\ngem 'rack', RACK"),
  lines('insertion', "v = '0.1'\ngem 'rack', \"2.#{v}\""),
  lines('insertion of an expression', 'gem "rack", "2.0.#{2 - 1}"'),
  lines('environment with a default', "gem 'rack', ENV.fetch('NO_SUCH_VARIABLE', '2.0.1')"),
  lines('environment or else', "gem 'rack', ENV['NO_SUCH_VARIABLE'] || '2.0.1'"),
  lines('ternary', "gem 'rack', true ? '2.0.1' : '3.1.8'"),
  lines('here-document', "gem 'rack', <<~V.strip\n  2.0.1\nV"),
  lines('here-document that hides the end', "puts <<~V\n=begin\nV\ngem 'rack', '2.0.1'\nputs <<~V\n=end\nV"),
  lines('here-document with the end of the program', "puts <<V\n__END__ \nV\ngem 'rack', '2.0.1'"),
  lines('text of several lines', "puts 'a\n__END__\n'\ngem 'rack', '2.0.1'"),
  lines('text of several lines with a comment', "puts 'a\n=begin\n'\ngem 'rack', '2.0.1'\nputs '\n=end\n'"),
  lines('number sign in a regular expression', "puts(/'#/); gem 'rack', '2.0.1'"),
  lines('condition at the end', "gem 'rack', '2.0.1' if true"),
  lines('condition that is negated', "gem 'rack', '2.0.1' unless false"),
  lines('condition with and', "true and gem 'rack', '2.0.1'"),
  lines('condition with &&', "true && gem('rack', '2.0.1')"),
  lines('condition with or', "false or gem 'rack', '2.0.1'"),
  lines('method call by its name', "send(:gem, 'rack', '2.0.1')"),
  lines('method call of self', "self.gem 'rack', '2.0.1'"),
  lines('method call by a method object', "method(:gem).call('rack', '2.0.1')"),
  lines('alias of the method', "alias g gem\ng 'rack', '2.0.1'", { isAsked: false }),
  lines('evaluated text', "eval \"gem 'rack', '2.0.1'\""),
  lines('lambda', "g = ->(n, v) { gem n, v }\ng.call('rack', '2.0.1')"),
  lines('method of its own', "def g(v) = gem('rack', v)\ng '2.0.1'"),
  lines('method of its own in lines', "def g(v)\n  gem 'rack', v\nend\ng '2.0.1'"),
]

const blocks: readonly Spelling[] = [
  lines('group', "group :production do\n  gem 'rack', '2.0.1'\nend"),
  lines('group in braces', "group(:production) { gem 'rack', '2.0.1' }"),
  lines('group on one line', "group :production do gem 'rack', '2.0.1' end"),
  lines('group of several names', "group :development, :production do\n  gem 'rack', '2.0.1'\nend"),
  lines('group as an option', "gem 'rack', '2.0.1', group: :production"),
  lines('groups as an option', "gem 'rack', '2.0.1', groups: %i[test production]"),
  lines('group that is optional', "group :extra, optional: true do\n  gem 'rack', '2.0.1'\nend"),
  lines('two groups', "group :test do\n  gem 'rack', '2.0.1'\nend\ngem 'rack', '2.0.1'"),
  lines('group of a variable', "g = :production\ngroup g do\n  gem 'rack', '2.0.1'\nend"),
  lines('group inside another', "group :test do\n  group :production do\n    gem 'rack', '2.0.1'\n  end\nend"),
  lines('condition inside a group', "group :test do\n  x = 1 if true\nend\ngem 'rack', '2.0.1'"),
  lines('condition as a value inside a group', "group :test do\n  x = if true\n    1\n  end\nend\ngem 'rack', '2.0.1'"),
  lines('platforms', "platforms :ruby do\n  gem 'rack', '2.0.1'\nend"),
  lines('platforms as an option', "gem 'rack', '2.0.1', platforms: %i[mri windows]"),
  lines('source block', `source '${REGISTRY}' do\n  gem 'rack', '2.0.1'\nend`),
  lines('source as an option', `gem 'rack', '2.0.1', source: '${REGISTRY}'`),
  lines('install_if', "install_if -> { true } do\n  gem 'rack', '2.0.1'\nend"),
  lines('install_if as an option', "gem 'rack', '2.0.1', install_if: true"),
  lines('environment block', "env 'NO_SUCH' => nil do\n  gem 'rack', '2.0.1'\nend", { isAsked: false }),
  lines('git repository', "gem 'rack', git: 'https://git.example/rack.git', tag: '2.0.1'", { isAsked: false }),
  lines('GitHub repository', "gem 'rack', github: 'rack/rack', tag: '2.0.1'", { isAsked: false }),
  lines(
    'git source of its own',
    "git_source(:own) { |name| \"https://git.example/#{name}.git\" }\ngem 'rack', own: 'rack'",
    {
      isAsked: false,
    },
  ),
  lines('git block', "git 'https://git.example/rack.git' do\n  gem 'rack', '2.0.1'\nend", { isAsked: false }),
  ...['path: "copy"', ':path => "./copy"'].map((option) =>
    lines(`path ${option}`, `gem 'rack', ${option}`, { others: { 'copy/rack.gemspec': gemspec('rack', '2.0.1') } }),
  ),
  lines('path block', "path 'copy' do\n  gem 'rack'\nend", {
    others: { 'copy/rack.gemspec': gemspec('rack', '2.0.1') },
  }),
  lines('gemspec', 'gemspec', { others: { 'own.gemspec': gemspec('own', '1.0', "s.add_dependency 'rack', '2.0.1'") } }),
  lines('gemspec, runtime dependency', 'gemspec', {
    others: { 'own.gemspec': gemspec('own', '1.0', "s.add_runtime_dependency('rack', ['= 2.0.1'])") },
  }),
  lines('gemspec in a loop', 'gemspec', {
    others: { 'own.gemspec': gemspec('own', '1.0', "%w[rack].each { |n| s.add_dependency n, '2.0.1' }") },
  }),
  lines('gemspec by a variable', 'gemspec', {
    others: { 'own.gemspec': gemspec('own', '1.0', "v = '2.0.1'\n  s.add_dependency 'rack', v") },
  }),
  lines('gemspec by its method', 'gemspec', {
    others: { 'own.gemspec': gemspec('own', '1.0', "s.send(:add_dependency, 'rack', '2.0.1')") },
  }),
  lines('another Gemfile', "eval_gemfile 'more.rb'", { others: { 'more.rb': "gem 'rack', '2.0.1'\n" } }),
  lines('another Gemfile evaluated', "instance_eval File.read('more.rb')", {
    others: { 'more.rb': "gem 'rack', '2.0.1'\n" },
  }),
  lines('another Gemfile required', "require_relative 'more'", { others: { 'more.rb': 'X = 1\n' }, tool: 'ignores' }),
  lines('if', "if true\n  gem 'rack', '2.0.1'\nelse\n  gem 'rack', '3.1.8'\nend"),
  lines('else', "if false\n  gem 'rack', '3.1.8'\nelse\n  gem 'rack', '2.0.1'\nend"),
  lines('if on one line', "if true then gem 'rack', '2.0.1' end"),
  lines('unless', "unless false\n  gem 'rack', '2.0.1'\nend"),
  lines('case', "case 1\nwhen 1 then gem 'rack', '2.0.1'\nelse gem 'rack', '3.1.8'\nend"),
  lines('else on one line', "if false\n  gem 'other', '1.0'\nelse gem 'rack', '2.0.1'\nend"),
  lines('rescue', "begin\n  raise 'x'\nrescue StandardError\n  gem 'rack', '2.0.1'\nend"),
  lines('rescue on one line', "(raise 'x') rescue gem('rack', '2.0.1')"),
  lines('each', "%w[rack].each do |name|\n  gem name, '2.0.1'\nend"),
  lines('each in braces', "%w[rack].each { |name| gem name, '2.0.1' }"),
  lines('each of pairs', "{ 'rack' => '2.0.1' }.each { |name, version| gem name, version }"),
  lines('each of pairs in lines', "{\n  'rack' => '2.0.1',\n}.each do |name, version|\n  gem name, version\nend"),
  lines('for', "for v in ['2.0.1'] do\n  gem 'rack', v\nend"),
  lines('times', "1.times { gem 'rack', '2.0.1' }"),
  lines('tap', "'2.0.1'.tap { |v| gem 'rack', v }"),
  lines('block that begins a program', "BEGIN { gem 'rack', '2.0.1' }", { isAsked: false }),
  lines('carriage returns', "group :production do\r\n  gem 'rack', '2.0.1'\r\nend\r"),
  lines('carriage returns alone', "# harmless\rgem 'rack', '2.0.1'", { tool: 'ignores' }),
]

function gemspec(name: string, version: string, more = ''): string {
  return `Gem::Specification.new do |s|\n  s.name = '${name}'\n  s.version = '${version}'\n  s.summary = 'x'\n  s.authors = ['x']\n  s.files = []\n  ${more}\nend\n`
}

/** The releases that the tests publish, in the order of Bundler's index. */
const PUBLISHED = { rack: ['2.0.1', '2.0.9', '3.1.8'], other: ['1.0'] }

export const rubygems: Sabotage = {
  ecosystem: 'rubygems',
  hidden,
  target: 'Gemfile',
  base: { Gemfile: `source '${REGISTRY}'\n` },
  spellings: [...requirements, ...statements, ...blocks, ...gemfileLocks],
  /** Bundler locks against an index on loopback. */
  async ask(folder, { name, version }) {
    const server = createServer((request, response) => {
      const answer = indexAt(request.url!)
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(answer)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const path of globSync('**/Gemfile*', { cwd: folder })) {
      const text = await readFile(join(folder, path), 'utf8')
      await writeFile(join(folder, path), text.replaceAll(REGISTRY, url))
    }
    try {
      const env = { ...process.env, BUNDLE_USER_HOME: join(folder, '.bundle'), HOME: folder }
      await promisify(execFile)('bundle', ['lock'], { cwd: folder, env })
      const lock = await readFile(join(folder, 'Gemfile.lock'), 'utf8')
      return lock.split(/\r?\n/).some((line) => line.startsWith(`    ${name} (${version}`)) ? 'installs' : 'ignores'
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT' && !existsSync(join(folder, 'Gemfile'))) throw error
      return 'refuses'
    } finally {
      server.close()
    }
  },
}

/** The compact index of RubyGems. */
function indexAt(path: string): string | undefined {
  const published = Object.entries(PUBLISHED)
  if (path === '/versions') {
    const list = published.map(([name, versions]) => `${name} ${versions.join(',')} ${'0'.repeat(32)}\n`)
    return `created_at: 2024-01-01T00:00:00Z\n---\n${list.join('')}`
  }
  const versions = published.find(([name]) => path === `/info/${name}`)?.[1]
  return versions && `---\n${versions.map((version) => `${version} |checksum:${'0'.repeat(64)}\n`).join('')}`
}
