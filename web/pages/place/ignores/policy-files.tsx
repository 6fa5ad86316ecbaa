import { NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { PolicyFiles } from '../../../api/resources.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'

const decisions: Readonly<Record<PolicyFiles, string>> = {
  allow: 'Apply',
  'require-reason': 'Apply with a reason',
  forbid: 'Never apply',
}

export function PolicyFilesSetting({ orgId }: { orgId: string }) {
  const queries = useQueryClient()
  const queryKey = ['org-settings', orgId]
  const reading = useQuery({ queryKey, queryFn: () => call('getOrgSettingsV1', { params: { orgId } }) })
  const deciding = useMutation({
    mutationFn: (policyFiles: PolicyFiles) => call('updateOrgSettingsV1', { params: { orgId }, body: { policyFiles } }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  if (reading.data === undefined) return null
  return (
    <>
      <NativeSelect
        label="Ignores of .snyk files"
        description="Takes effect with the next test of each project"
        maw="18rem"
        value={reading.data.policyFiles}
        disabled={deciding.isPending}
        onChange={(event) => deciding.mutate(event.currentTarget.value as PolicyFiles)}
        data={Object.entries(decisions).map(([value, label]) => ({ value, label }))}
      />
      {deciding.error && <RefusalAlert title="Not saved" error={deciding.error} />}
    </>
  )
}
