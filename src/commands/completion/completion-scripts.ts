// cspell:ignore CWORD COMPREPLY compgen compdef funcstack compadd
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** A command and the words that may follow it. */
export interface CompletionPlace {
  /** The words of the command, without the program. */
  readonly path: readonly string[]
  /** Subcommands, and the values of an argument. */
  readonly words: readonly Completion[]
  readonly options: readonly (Completion & {
    /** The values of the option; undefined if it takes none, empty if they are not listed. */
    readonly values: readonly string[] | undefined
  })[]
}

interface Completion {
  readonly word: string
  readonly description: string
}

export const completionScripts: Readonly<Record<Shell, (places: readonly CompletionPlace[]) => string>> = {
  bash: toBash,
  zsh: toZsh,
  fish: toFish,
}

/** Shell code that follows the words before the cursor while they name a command. */
const WALK = (words: string, paths: readonly string[]) => `  local place='' word
  for word in ${words}; do
    case "$place $word" in
      ${paths.map((path) => `' ${path}'`).join('|')}) place="$place $word" ;;
    esac
  done
`

function toBash(places: readonly CompletionPlace[]): string {
  const cases = places.map(({ path, words, options }) => {
    const all = [...words, ...options].map(({ word }) => word)
    return `    ${quote(keyOf(path))}) words='${all.join(' ')}' ;;`
  })
  const values = listValues(places).map(([key, all]) => `    ${quote(key)}) words='${all.join(' ')}' ;;`)
  // Without a match, bash completes file names.
  return `# Completion of gatehouse for bash. Written by "gatehouse completion bash".
_gatehouse() {
  local words=''
${WALK(`"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`, pathsOf(places))}  case "$place" in
${cases.join('\n')}
  esac
  case "$place \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gatehouse gatehouse
`
}

function toZsh(places: readonly CompletionPlace[]): string {
  const toList = (all: readonly Completion[]) =>
    all.map(({ word, description }) => quote(`${word}:${oneLine(description)}`)).join(' ')
  const cases = places.map(({ path, words, options }) => {
    return `    ${quote(keyOf(path))}) commands_here=(${toList(words)}) options_here=(${toList(options)}) ;;`
  })
  const values = listValues(places).map(([key, all]) => `    ${quote(key)}) values_here=(${all.join(' ')}) ;;`)
  const free = valueOptionsOf(places).filter(({ values: listed }) => listed.length === 0)
  const files = [...new Set(free.map(({ key }) => quote(key)))].join('|')
  return `#compdef gatehouse
# Completion of gatehouse for zsh. Written by "gatehouse completion zsh".
_gatehouse() {
  local -a commands_here options_here values_here
${WALK(`"\${(@)words[2,CURRENT-1]}"`, pathsOf(places))}  case "$place" in
${cases.join('\n')}
  esac
  case "$place \${words[CURRENT-1]}" in
${values.join('\n')}
    ${files}) _files; return ;;
  esac
  if (( $#values_here )); then compadd -a values_here; return; fi
  local ret=1
  (( $#commands_here )) && _describe -t commands command commands_here && ret=0
  _describe -o -t options option options_here && ret=0
  (( ret )) && _files && ret=0
  return ret
}
if [ "$funcstack[1]" = _gatehouse ]; then _gatehouse "$@"; else compdef _gatehouse gatehouse; fi
`
}

function toFish(places: readonly CompletionPlace[]): string {
  const lines = places.flatMap(({ path, words, options }) => {
    const at = `complete -c gatehouse -n '__gatehouse_at "${keyOf(path)}"'`
    const about = (text: string) => `-d ${quoteFish(oneLine(text))}`
    return [
      ...words.map(({ word, description }) => `${at} -f -a ${word} ${about(description)}`),
      ...options.map(({ word, description, values }) => {
        const value = values === undefined ? '' : values.length === 0 ? ' -r' : ` -x -a ${quoteFish(values.join(' '))}`
        return `${at} -l ${word.slice(2)}${value} ${about(description)}`
      }),
    ]
  })
  return `# Completion of gatehouse for fish. Written by "gatehouse completion fish".
function __gatehouse_at
  set -l place ''
  for word in (commandline -opc)[2..]
    switch "$place $word"
      case ${pathsOf(places)
        .map((path) => `' ${path}'`)
        .join(' ')}
        set place "$place $word"
    end
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}
`
}

interface ValueOption {
  /** The place and the option, as written before the cursor. */
  readonly key: string
  readonly values: readonly string[]
}

function valueOptionsOf(places: readonly CompletionPlace[]): ValueOption[] {
  return places.flatMap(({ path, options }) =>
    options.flatMap(({ word, values }) => (values === undefined ? [] : [{ key: keyOf([...path, word]), values }])),
  )
}

/** Returns the options whose values are listed, by their place. */
function listValues(places: readonly CompletionPlace[]): [key: string, values: readonly string[]][] {
  return valueOptionsOf(places).flatMap(({ key, values }) => (values.length === 0 ? [] : [[key, values]]))
}

/** Returns the place as the walk builds it: a space before each word. */
function keyOf(path: readonly string[]): string {
  return path.map((word) => ` ${word}`).join('')
}

function pathsOf(places: readonly CompletionPlace[]): string[] {
  return places.flatMap(({ path }) => (path.length === 0 ? [] : [path.join(' ')]))
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function quoteFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
