import { Alert, Text } from '@mantine/core'
import type { Project } from '../../../api/projects.ts'
import { WarningIcon } from '../../../ui/icons.tsx'
import { Age, Moment } from '../../../ui/moment.tsx'

type Source = NonNullable<Project['attributes']['stale_source']>

/** How old the files are that issues are of, in words. */
export function ReadAt({ source }: { source: Source }) {
  return source.read_at === null ? 'of an unknown time' : <Age time={source.read_at} />
}

/** Issues are of what was stored: why, since when, and of when that is. */
export function StaleSource({ source }: { source: Source }) {
  return (
    <Alert color="red" icon={<WarningIcon />} title="Its files cannot be read again" role="status">
      <Text size="sm" className="breakable">
        {source.message}
      </Text>
      <Text size="sm">
        This has been so since <Moment time={source.since} />. What follows is of files that were read{' '}
        {source.read_at === null ? 'at an unknown time' : <Moment time={source.read_at} />}, held against the advisories
        of now. They are asked for again from time to time.
      </Text>
    </Alert>
  )
}
