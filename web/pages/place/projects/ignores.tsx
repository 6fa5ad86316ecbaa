import { Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { Listing } from '../../../components/listing.tsx'
import { usePageOfList } from '../../../hooks/place.ts'
import { Empty } from '../../../ui/empty.tsx'
import { useIgnoresTable } from '../ignores/ignores-table.tsx'
import type { OfProject } from './of-project.ts'

export function ProjectIgnores({ orgId, project }: OfProject) {
  const { query, turns } = usePageOfList()
  const reading = useQuery({
    queryKey: ['ignores', orgId, query, { project: project.id }],
    queryFn: () => call('listIgnores', { params: { org_id: orgId }, query: { ...query, project_id: project.id } }),
    placeholderData: keepPreviousData,
  })
  const { columns, dialogs } = useIgnoresTable(orgId, { withProject: false })
  return (
    <Stack>
      {dialogs}
      <Listing
        things="ignores"
        label="Ignores"
        reading={reading}
        turns={turns}
        columns={columns}
        empty={<Empty title="No ignores">Open an issue to ignore it.</Empty>}
      />
    </Stack>
  )
}
