import { Alert, Anchor, Button, Code, Drawer, Group, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Note } from '../../../components/note.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { CheckIcon, ErrorIcon, WarningIcon } from '../../../ui/icons.tsx'
import { type Severity, SeverityBadge } from '../../../ui/severity.tsx'
import { SeverityFilter } from '../../../ui/severity-filter.tsx'
import { CoverageView } from './coverage-view.tsx'
import { FindingDetails } from './finding-details.tsx'
import { countBySeverity, describeFix, type Finding, type TestResult, toFindings, verdictOf } from './result.ts'

/** Rows that are rendered at first. */
const FIRST_ROWS = 50

const icons = { red: <ErrorIcon />, yellow: <WarningIcon />, green: <CheckIcon /> }

/** Shows a result; `name` distinguishes it from others on the page. */
export function ResultView({ result, name }: { result: TestResult; name: string }) {
  const findings = useMemo(() => toFindings(result), [result])
  const [severity, setSeverity] = useState<Severity>()
  const [rows, setRows] = useState(FIRST_ROWS)
  const [shown, setShown] = useState<Finding>()
  const verdict = verdictOf(result, findings)
  const chosen = severity === undefined ? findings : findings.filter(({ about }) => about.severity === severity)
  return (
    <Stack gap="lg" aria-label={`Result of ${name}`} component="section">
      <Alert color={verdict.tone} icon={icons[verdict.tone]} title={verdict.title} role="status">
        {verdict.words}
      </Alert>
      <CoverageView coverage={result.coverage} manager={result.packageManager} of={name} />
      {findings.length > 0 && (
        <>
          <SeverityFilter counts={countBySeverity(findings)} chosen={severity} onChoose={setSeverity} />
          <DataTable
            label="Vulnerabilities"
            rows={chosen.slice(0, rows)}
            rowKey={({ key }) => key}
            columns={[
              { name: 'Severity', width: '7rem', cell: ({ about }) => <SeverityBadge severity={about.severity} /> },
              {
                name: 'Vulnerability',
                cell: (finding) => (
                  <>
                    <Anchor component="button" type="button" ta="start" fw={600} onClick={() => setShown(finding)}>
                      {finding.about.title}
                    </Anchor>
                    <Note>{[finding.about.id, ...finding.about.identifiers.CVE].join(' · ')}</Note>
                  </>
                ),
              },
              {
                name: 'Package',
                width: '11rem',
                cell: ({ about }) => (
                  <Code>
                    {about.package}@{about.version}
                  </Code>
                ),
              },
              {
                name: 'Path',
                width: '11rem',
                cell: ({ paths }) => <Path from={paths[0]!.from} more={paths.length - 1} />,
              },
              {
                name: 'Fix',
                width: '13rem',
                cell: (finding) => <Text size="sm">{describeFix(finding.paths[0]!, finding)}</Text>,
              },
            ]}
          />
          {chosen.length > rows && (
            <Group justify="center">
              <Button variant="default" onClick={() => setRows(rows + FIRST_ROWS)}>
                Show more ({chosen.length - rows})
              </Button>
            </Group>
          )}
        </>
      )}
      <Drawer opened={shown !== undefined} onClose={() => setShown(undefined)} size="xl" title={shown?.about.title}>
        {shown && <FindingDetails finding={shown} />}
      </Drawer>
    </Stack>
  )
}

function Path({ from, more }: { from: readonly string[]; more: number }) {
  return (
    <Text size="sm">
      {from.join(' › ')}
      {more > 0 && (
        <Text span size="sm" c="dimmed">
          {' '}
          and {more} more
        </Text>
      )}
    </Text>
  )
}
