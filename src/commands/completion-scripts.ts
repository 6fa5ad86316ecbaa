// cspell:ignore CWORD COMPREPLY compgen compdef funcstack
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** Words that may follow a command. */
export interface CompletionPlace {
  /** The words of the command, without the program. */
  readonly path: readonly string[]
  readonly words: readonly { readonly word: string; readonly description: string }[]
}

export const completionScripts: Readonly<Record<Shell, (places: readonly CompletionPlace[]) => string>> = {
  bash: toBash,
  zsh: toZsh,
  fish: toFish,
}

/** Shell code that walks along the words before the cursor as long as they name a command. */
const WALK = (words: string, paths: readonly string[]) => `  local place='' word
  for word in ${words}; do
    case "$place $word" in
      ${paths.map((path) => `' ${path}'`).join('|')}) place="$place $word" ;;
    esac
  done
`

function toBash(places: readonly CompletionPlace[]): string {
  const cases = places.map(
    ({ path, words }) => `    ${quote(keyOf(path))}) words='${words.map(({ word }) => word).join(' ')}' ;;`,
  )
  // Without a match, bash completes file names.
  return `# Completion of gatehouse for bash. Written by "gatehouse completion bash".
_gatehouse() {
  local words=''
${WALK(`"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`, pathsOf(places))}  case "$place" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gatehouse gatehouse
`
}

function toZsh(places: readonly CompletionPlace[]): string {
  const cases = places.map(({ path, words }) => {
    const lines = words.map(({ word, description }) => quote(`${word}:${oneLine(description)}`))
    return `    ${quote(keyOf(path))}) words_here=(${lines.join(' ')}) ;;`
  })
  return `#compdef gatehouse
# Completion of gatehouse for zsh. Written by "gatehouse completion zsh".
_gatehouse() {
  local -a words_here
${WALK(`"\${(@)words[2,CURRENT-1]}"`, pathsOf(places))}  case "$place" in
${cases.join('\n')}
  esac
  _describe -o gatehouse words_here || _files
}
if [ "$funcstack[1]" = _gatehouse ]; then _gatehouse "$@"; else compdef _gatehouse gatehouse; fi
`
}

function toFish(places: readonly CompletionPlace[]): string {
  const lines = places.flatMap(({ path, words }) =>
    words.map(({ word, description }) => {
      const name = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`
      return `complete -c gatehouse -n '__gatehouse_at "${keyOf(path)}"' ${name} -d ${quoteFish(oneLine(description))}`
    }),
  )
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

/** Returns the place as the walk writes it: a space before each word. */
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
