import { useSearchParams } from '../../../router/react.tsx'
import { filterNames } from './filters.tsx'
import { FlatList } from './flat-list.tsx'
import { Repositories } from './repositories.tsx'

/** Projects by repository; with filters or `view=flat`, as a flat list. */
export function Projects() {
  const [parameters] = useSearchParams()
  const isFlat = parameters.get('view') === 'flat' || filterNames.some((name) => parameters.has(name))
  return isFlat ? <FlatList /> : <Repositories />
}
