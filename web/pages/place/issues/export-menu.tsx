import { Group, NativeSelect } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { listAllGroups } from '../../../api/issue-groups.ts'
import type { GroupQuery } from '../../../api/resources.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { saveFile } from '../../../ui/files.ts'
import { type ExportFormat, exportFormats, toFile } from './export-formats.ts'

interface Props {
  readonly orgId: string
  /** The query of the displayed list. */
  readonly query: GroupQuery
}

/** Downloads all matching groups, of all pages. */
export function ExportMenu({ orgId, query }: Props) {
  const exporting = useMutation({
    mutationFn: async (format: ExportFormat) => {
      saveFile(toFile(format, await listAllGroups(orgId, query)), `issues.${format}`)
    },
  })
  const { error } = exporting
  return (
    <Group gap="xs">
      <NativeSelect
        aria-label="Export"
        aria-keyshortcuts="e"
        value=""
        disabled={exporting.isPending}
        onChange={({ currentTarget: { value } }) => exporting.mutate(value as ExportFormat)}
        data={[
          { value: '', label: exporting.isPending ? 'Exporting…' : 'Export', disabled: true },
          ...Object.entries(exportFormats).map(([value, label]) => ({ value, label: `Export as ${label}` })),
        ]}
      />
      {error && <RefusalAlert title="Could not export" error={error} />}
    </Group>
  )
}
