import {
  evaluateMarker,
  type Marker,
  type MarkerEnvironment,
  parseMarker,
} from '#analysis/ecosystems/python/packaging/marker.ts'
import { parseRequirement } from '#analysis/ecosystems/python/packaging/requirement.ts'

/** Evaluates a marker without an extra and with the extra `test`, as one text. */
export function judgeMarker(text: string, environment: MarkerEnvironment): string {
  const marker = parseMarker(text)
  return marker === undefined ? 'refused' : judge(marker, environment)
}

/** Name, extras, specifiers, address and judged marker of a requirement, as one text. */
export function judgeRequirement(text: string, environment: MarkerEnvironment): string {
  const requirement = parseRequirement(text)
  if (requirement === undefined) return 'refused'
  const { project, extras, range, specifiers, url = '', marker } = requirement
  const parts = range === '' ? [] : range.split(',').map((part) => part.replace(/\s+/g, ''))
  if (parts.length !== specifiers.length) throw new Error(`${range} has other parts than specifiers`)
  return [
    project,
    extras.join(),
    [...new Set(parts.map(withoutSpelling))].sort().join(' '),
    url,
    marker === undefined ? '' : judge(marker, environment),
  ].join('|')
}

function judge(marker: Marker, environment: MarkerEnvironment): string {
  return ['', 'test']
    .map((extra) => evaluateMarker(marker, environment, extra))
    .map((holds) => (holds === undefined ? 'undecided' : holds ? 'yes' : 'no'))
    .join(' ')
}

/** As it stands. */
function withoutSpelling(part: string): string {
  return part
}
