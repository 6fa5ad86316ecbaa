import { Alert, Text } from '@mantine/core'
import type { Project } from '../../../api/resources.ts'
import { WarningIcon } from '../../../ui/icons.tsx'
import { Age, RelativeTime } from '../../../ui/relative-time.tsx'

type Source = NonNullable<Project['attributes']['stale_source']>

/** Formats the age of the files behind the issues. */
export function ReadAt({ source }: { source: Source }) {
  return source.read_at === null ? 'from an unknown time' : <Age time={source.read_at} />
}

/** Explains that the issues are those of stored files: the reason, since when, and the age of the files. */
export function StaleSource({ source }: { source: Source }) {
  return (
    <Alert color="red" icon={<WarningIcon />} title="Its files cannot be read anymore" role="status">
      <Text size="sm" className="breakable">
        {source.message}
      </Text>
      <Text size="sm">
        Since <RelativeTime time={source.since} />. Showing results for files read{' '}
        {source.read_at === null ? 'at an unknown time' : <RelativeTime time={source.read_at} />}, matched with current
        advisories. Reading is retried periodically.
      </Text>
    </Alert>
  )
}
