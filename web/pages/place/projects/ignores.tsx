import { Stack } from '@mantine/core'
import { call } from '../../../api/client.ts'
import { Listing } from '../../../components/listing.tsx'
import { useList } from '../../../hooks/list.ts'
import { Empty } from '../../../ui/empty.tsx'
import { useIgnoresTable } from '../ignores/ignores-table.tsx'
import type { OfProject } from './of-project.ts'

export function ProjectIgnores({ orgId, project }: OfProject) {
  const list = useList(['ignores', orgId, { project: project.id }], (query) =>
    call('listIgnores', { params: { org_id: orgId }, query: { ...query, project_id: project.id } }),
  )
  const { columns, dialog } = useIgnoresTable(orgId, { withProject: false })
  return (
    <Stack>
      {dialog}
      <Listing
        things="ignores"
        list={list}
        columns={columns}
        empty={<Empty title="No ignores">Open an issue to ignore it.</Empty>}
      />
    </Stack>
  )
}
