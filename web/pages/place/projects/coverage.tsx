import { useQuery } from '@tanstack/react-query'
import { callData } from '../../../api/client.ts'
import { toRefusal } from '../../../api/refusal.ts'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { CoverageView } from '../test/coverage-view.tsx'
import type { OfProject } from './of-project.ts'

export function useCoverage({ orgId, project }: OfProject) {
  return useQuery({
    queryKey: ['project', orgId, project.id, 'coverage'],
    queryFn: () =>
      callData('getOrgProjectCoverage', { params: { org_id: orgId, project_id: project.id } }).then(
        ({ attributes }) => attributes,
      ),
  })
}

export function ProjectCoverage(of: OfProject) {
  const reading = useCoverage(of)
  if (reading.data) return <CoverageView coverage={reading.data} manager={of.project.attributes.type} />
  if (!reading.isError) return null
  if (toRefusal(reading.error).status === 404) {
    return <Empty title="Not tested yet">The first test has not run yet.</Empty>
  }
  return <ReadingAlert title="Could not load the coverage" reading={reading} />
}
