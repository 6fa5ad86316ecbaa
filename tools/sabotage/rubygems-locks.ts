import { REGISTRY } from './package-json.ts'
import type { Spelling } from './spelling.ts'

const DOCS = "Bundler's documentation, Gemfile.lock"

interface Parts {
  readonly gems?: string
  readonly platforms?: string
  readonly dependencies?: string
  readonly more?: string
  /** Sections before that of the gems. */
  readonly before?: string
}

/** A whole lock. */
function toLock({
  gems = '    rack (2.0.1)\n',
  platforms = '  ruby\n',
  dependencies = '  rack\n',
  ...rest
}: Parts): string {
  const { more = '', before = '' } = rest
  return `${before}GEM\n  remote: ${REGISTRY}/\n  specs:\n${gems}\nPLATFORMS\n${platforms}\nDEPENDENCIES\n${dependencies}${more}`
}

interface Written extends Parts {
  readonly tool?: Spelling['tool']
  readonly gemfile?: string
  readonly change?: (lock: string) => string
  readonly isAsked?: false
}

/** Replaces the project's files: Bundler accepts only a lock that agrees with the Gemfile. */
function locked(name: string, written: Written = {}): Spelling {
  const { tool = 'installs', gemfile = "gem 'rack'", change = (lock) => lock, isAsked, ...parts } = written
  return {
    name: `lock: ${name}`,
    source: DOCS,
    tool,
    ...(isAsked === false && { isAsked }),
    plant: () => ({ Gemfile: `source '${REGISTRY}'\n${gemfile}\n`, 'Gemfile.lock': change(toLock(parts)) }),
  }
}

const platforms = '  ruby\n  x86_64-linux\n'
const git = `GIT\n  remote: https://git.example/rack.git\n  revision: ${'a'.repeat(40)}\n  tag: 2.0.1\n  specs:\n    rack (2.0.1)\n\n`

export const gemfileLocks: readonly Spelling[] = [
  locked('entry'),
  locked('requirement', { dependencies: '  rack (~> 2.0.0)\n', gemfile: "gem 'rack', '~> 2.0.0'" }),
  locked('carriage returns', { change: (lock) => lock.replaceAll('\n', '\r\n') }),
  locked('without its last line break', { change: (lock) => lock.trimEnd() }),
  locked('byte order mark', { change: (lock) => `\uFEFF${lock}`, isAsked: false }),
  locked('white space at the ends of lines', { change: (lock) => lock.replaceAll('\n', ' \n'), isAsked: false }),
  locked('version of Bundler', { more: '\nBUNDLED WITH\n   2.3.15\n' }),
  locked('version of Ruby', { more: '\nRUBY VERSION\n   ruby 3.1.2p20\n' }),
  locked('checksums', { more: `\nCHECKSUMS\n  rack (2.0.1) sha256=${'0'.repeat(64)}\n` }),
  locked('checksums of another version', { more: `\nCHECKSUMS\n  rack (3.1.8) sha256=${'0'.repeat(64)}\n` }),
  locked('unknown section', { more: '\nHARMLESS\n  rack (3.1.8)\n' }),
  locked('entry for a platform', {
    gems: '    rack (2.0.1-x86_64-linux)\n',
    platforms: '  x86_64-linux\n',
    isAsked: false,
  }),
  locked('entries for two platforms', {
    gems: '    rack (2.0.1-x86_64-linux)\n    rack (3.1.8)\n',
    platforms,
    isAsked: false,
  }),
  locked('entry for another platform', {
    gems: '    rack (2.0.1-java)\n    rack (3.1.8)\n',
    platforms: '  java\n  ruby\n',
    isAsked: false,
  }),
  locked('below another gem', {
    gems: '    other (1.0)\n      rack (~> 2.0.0)\n    rack (2.0.1)\n',
    dependencies: '  other\n',
    gemfile: "gem 'other'",
    isAsked: false,
  }),
  locked('two entries, one after the other', { gems: '    rack (3.1.8)\n    rack (2.0.1)\n', isAsked: false }),
  locked('two sections of gems', {
    before: `GEM\n  remote: ${REGISTRY}/\n  specs:\n    other (1.0)\n\n`,
    dependencies: '  other\n  rack\n',
    gemfile: "gem 'other'\ngem 'rack'",
  }),
  locked('git repository', {
    before: git,
    gems: '',
    dependencies: '  rack!\n',
    gemfile: "gem 'rack', git: 'https://git.example/rack.git', tag: '2.0.1'",
    isAsked: false,
  }),
  locked('path', {
    before: 'PATH\n  remote: copy\n  specs:\n    rack (2.0.1)\n\n',
    gems: '',
    dependencies: '  rack!\n',
    gemfile: "gem 'rack', path: 'copy'",
    isAsked: false,
  }),
  locked('path of the project itself', {
    before: 'PATH\n  remote: .\n  specs:\n    own (1.0)\n      rack (= 2.0.1)\n\n',
    dependencies: '  own!\n',
    gemfile: 'gemspec',
    isAsked: false,
  }),
  locked('plugin source', {
    before: `PLUGIN SOURCE\n  remote: ${REGISTRY}\n  type: own\n  specs:\n    rack (2.0.1)\n\n`,
    gems: '',
    dependencies: '  rack!\n',
    isAsked: false,
  }),
  locked('Gemfile asks for an older version', {
    gems: '    rack (3.1.8)\n',
    gemfile: "gem 'rack', '2.0.1'",
  }),
  locked('Gemfile asks for more', {
    gems: '    other (1.0)\n',
    dependencies: '  other\n',
    gemfile: "gem 'other'\ngem 'rack', '2.0.1'",
  }),
  ...[
    ['loop', "%w[rack].each do |name|\n  gem name, '2.0.1'\nend"],
    ['loop in braces', "%w[rack].each { |name| gem name, '2.0.1' }"],
    ['loop over a constant', "NAMES = %w[rack].freeze\nNAMES.each do |name|\n  gem name, '2.0.1'\nend"],
    ['loop over pairs', "{ 'rack' => '2.0.1' }.each do |name, version|\n  gem name, version\nend"],
    ['loop over a method', "[:rack].map(&:to_s).each { |name| gem name, '2.0.1' }"],
    ['times', "1.times { gem 'rack', '2.0.1' }"],
    ['times in lines', "1.times do\n  gem 'rack', '2.0.1'\nend"],
    ['condition that always holds', "gem 'rack', '2.0.1' if true"],
    ['condition in lines that always holds', "if true\n  gem 'rack', '2.0.1'\nend"],
    ['condition with and', "true and gem 'rack', '2.0.1'"],
    ['method by its name', "send(:gem, 'rack', '2.0.1')"],
    ['method of its own', "def g(v)\n  gem 'rack', v\nend\ng '2.0.1'"],
    ['evaluated text', "eval \"gem 'rack', '2.0.1'\""],
    ['platforms', "platforms :ruby do\n  gem 'rack', '2.0.1'\nend"],
    ['platforms as an option', "gem 'rack', '2.0.1', platforms: :ruby"],
    ['install_if', "install_if -> { true } do\n  gem 'rack', '2.0.1'\nend"],
  ].map(([name, text]) =>
    locked(`Gemfile asks for more by ${name}`, {
      gems: '    other (1.0)\n',
      dependencies: '  other\n',
      gemfile: `gem 'other'\n${text}`,
    }),
  ),
  locked('Gemfile asks for an older version in a condition that always holds', {
    gems: '    rack (3.1.8)\n',
    gemfile: "if true\n  gem 'rack', '2.0.1'\nend",
  }),
  locked('empty', { gems: '', dependencies: '', gemfile: "gem 'rack', '2.0.1'" }),
  locked('group of development and of production', { gemfile: "gem 'rack', group: %i[development production]" }),
  locked('once for development, once for all', { gemfile: "group :development do\n  gem 'rack'\nend\ngem 'rack'" }),
  locked('group that a condition closes', { gemfile: "group :test do\n  x = if true\n    1\n  end\nend\ngem 'rack'" }),
]
