import { Group, Text } from '@mantine/core'
import { ArrowUpIcon } from './icons.tsx'

interface Props {
  /** Fixed versions according to the advisories, oldest first. */
  readonly fixedIn: readonly string[]
  readonly isMalicious?: boolean | undefined
}

/** The fix of a vulnerability in few words. */
export function FixText({ fixedIn, isMalicious }: Props) {
  if (isMalicious) return <Text size="sm">Remove package</Text>
  const [smallest] = fixedIn
  if (smallest === undefined) {
    return (
      <Text size="sm" c="dimmed">
        No fix yet
      </Text>
    )
  }
  return (
    <Group gap={4} wrap="nowrap" maw="100%" title={`Fixed in ${fixedIn.join(', ')}`}>
      <ArrowUpIcon size={14} />
      <Text size="sm" truncate>
        Fixed in <span style={{ fontFamily: 'var(--mantine-font-family-monospace)' }}>{smallest}</span>
      </Text>
      {fixedIn.length > 1 && (
        <Text size="sm" flex="none">
          +{fixedIn.length - 1}
        </Text>
      )}
    </Group>
  )
}
