import { useRouteError } from 'react-router'
import { Broken } from './broken.tsx'

/** In place of a page that failed, or that could not be fetched. */
export function BrokenPage() {
  return <Broken error={useRouteError()} />
}
