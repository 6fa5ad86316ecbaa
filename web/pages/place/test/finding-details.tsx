import { Anchor, Code, List, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { Description } from '../../../components/description.tsx'
import { Note } from '../../../components/note.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { SeverityBadge } from '../../../ui/severity.tsx'
import { describeFix, type Finding } from './result.ts'

const FIRST_PATHS = 10

export function FindingDetails({ finding }: { finding: Finding }) {
  const { about, paths } = finding
  const [isAll, setAll] = useState(false)
  const shown = isAll ? paths : paths.slice(0, FIRST_PATHS)
  return (
    <Stack>
      <Facts
        of={[
          ['Severity', <SeverityBadge key="severity" severity={about.severity} />],
          ['CVSS', about.CVSSv3 === '' ? undefined : `${about.cvssScore ?? ''} ${about.CVSSv3}`],
          ['Package', <Code key="package">{`${about.package}@${about.version}`}</Code>],
          ['Affected', about.semver.vulnerable.join(' or ')],
          ['Fixed in', about.nearestFixedInVersion ?? 'no known version'],
          ['Published', about.publicationTime && <RelativeTime key="published" time={about.publicationTime} />],
          ['Known as', [about.id, ...about.identifiers.CVE, ...about.identifiers.GHSA].filter(isFirst).join(', ')],
          ['Weakness', about.identifiers.CWE.length > 0 ? about.identifiers.CWE.join(', ') : undefined],
        ]}
      />
      <Title order={3} size="h5">
        {paths.length === 1 ? 'Introduced through' : `Introduced through: ${paths.length} ways`}
      </Title>
      <List type="ordered" size="sm" spacing="xs">
        {shown.map((path) => (
          <List.Item key={path.from.join(' ')}>
            <span className="breakable">{path.from.join(' › ')}</span>
            <Note size="sm">{describeFix(path, finding)}</Note>
          </List.Item>
        ))}
      </List>
      {paths.length > shown.length && (
        <Anchor component="button" type="button" ta="start" size="sm" onClick={() => setAll(true)}>
          Show all {paths.length}
        </Anchor>
      )}
      {about.description !== '' && (
        <>
          <Title order={3} size="h5">
            Description
          </Title>
          <Description text={about.description} />
        </>
      )}
      <Title order={3} size="h5">
        Read more
      </Title>
      <List size="sm">
        {[about.url, ...about.references]
          .filter((url) => /^https?:\/\//i.test(url))
          .filter(isFirst)
          .map((url) => (
            <List.Item key={url}>
              <Anchor href={url} target="_blank" rel="noopener noreferrer nofollow" size="sm" className="breakable">
                {url}
              </Anchor>
            </List.Item>
          ))}
      </List>
    </Stack>
  )
}

function isFirst(text: string, index: number, all: readonly string[]): boolean {
  return all.indexOf(text) === index
}
