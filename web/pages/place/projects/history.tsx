import { Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { readTrend } from '../../../api/overview.ts'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { FlowChart, OpenIssuesChart } from '../../../components/trend-charts.tsx'
import { useSearchParams } from '../../../router/react.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { SeverityCounts } from '../../../ui/severity.tsx'
import type { OfProject } from './of-project.ts'

const PER_PAGE = 20

const methods = { api: 'an import', cli: 'API client', recurring: 'the schedule' } as const

export function ProjectHistory({ orgId, project }: OfProject) {
  const [parameters, setParameters] = useSearchParams()
  const page = Math.max(1, Math.floor(Number(parameters.get('page'))) || 1)
  const setPage = (to: number) => setParameters({ view: 'history', ...(to > 1 && { page: String(to) }) })
  const reading = useQuery({
    queryKey: ['project', orgId, project.id, 'history', page],
    queryFn: () =>
      call('listProjectSnapshotsV1', { params: { orgId, projectId: project.id }, query: { page, perPage: PER_PAGE } }),
    placeholderData: keepPreviousData,
  })
  if (reading.isError) return <ReadingAlert title="Could not load the history" reading={reading} />
  const total = reading.data?.total ?? 0
  if (reading.data && total === 0) return <Empty title="Not tested yet">The first test has not run yet.</Empty>
  return (
    <Stack>
      <Development orgId={orgId} project={project} />
      <DataTable
        label="Tests"
        rows={reading.data?.snapshots}
        rowKey={({ id }) => id}
        columns={[
          { name: 'When', width: '15rem', cell: ({ created }) => <RelativeTime time={created} /> },
          { name: 'By', cell: ({ method }) => methods[method] },
          { name: 'Vulnerabilities', cell: ({ issueCounts }) => <SeverityCounts counts={issueCounts.vuln} /> },
          { name: 'Licenses', cell: ({ issueCounts }) => <SeverityCounts counts={issueCounts.license} /> },
          { name: 'Dependencies', width: '8rem', cell: ({ totalDependencies }) => totalDependencies.toLocaleString() },
          { name: 'Revision', width: '8rem', cell: ({ revision }) => <Revision revision={revision} /> },
        ]}
      />
      {total > PER_PAGE && (
        <Group component="nav" aria-label="Pages of tests" justify="flex-end" gap="xs">
          <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <Button variant="default" disabled={page * PER_PAGE >= total} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </Group>
      )}
    </Stack>
  )
}

const DAYS = 365

function Development({ orgId, project }: OfProject) {
  const trend = useQuery({
    queryKey: ['project', orgId, project.id, 'trend'],
    queryFn: () => readTrend({ orgId, projectId: project.id, days: DAYS }),
  })
  if (trend.isError) return <ReadingAlert title="Could not load the trend" reading={trend} />
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <OpenIssuesChart trend={trend.data} />
      <FlowChart trend={trend.data} />
    </SimpleGrid>
  )
}

function Revision({ revision }: { revision: string | null }) {
  if (revision === null) return <Text span>–</Text>
  return <Code title={revision}>{revision.slice(0, 10)}</Code>
}
