import { useQuery } from '@tanstack/react-query'
import { readCoverage } from '../../../api/projects.ts'
import { toRefusal } from '../../../api/refusal.ts'
import { RefusalAlert } from '../../../refusal-alert.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { CoverageView } from '../test/coverage-view.tsx'
import type { OfProject } from './one.tsx'

export function useCoverage({ orgId, project }: OfProject) {
  return useQuery({
    queryKey: ['project', orgId, project.id, 'coverage'],
    queryFn: () => readCoverage(orgId, project.id),
  })
}

/** What the last test rests on. */
export function ProjectCoverage(of: OfProject) {
  const reading = useCoverage(of)
  if (reading.data) return <CoverageView coverage={reading.data} manager={of.project.attributes.type} />
  if (!reading.isError) return null
  if (toRefusal(reading.error).status === 404) {
    return <Empty title="Not tested yet">The first test is still to come.</Empty>
  }
  return (
    <RefusalAlert title="The coverage cannot be read" error={reading.error} onRetry={() => void reading.refetch()} />
  )
}
