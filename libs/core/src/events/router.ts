import { router } from "../procedures.ts";
import { dismissDroppedProcedure } from "./dismiss-dropped.ts";
import { getEventProcedure } from "./get-event.ts";
import { listDroppedProcedure } from "./list-dropped.ts";
import { listEventsProcedure } from "./list-events.ts";
import { redeliverDroppedProcedure } from "./redeliver-dropped.ts";
import { redeliverEventProcedure } from "./redeliver-event.ts";
import { redeliverManyProcedure } from "./redeliver-many.ts";

export const eventsRouter = router({
  list: listEventsProcedure,
  get: getEventProcedure,
  dropped: listDroppedProcedure,
  redeliver: redeliverEventProcedure,
  redeliverMany: redeliverManyProcedure,
  redeliverDropped: redeliverDroppedProcedure,
  dismiss: dismissDroppedProcedure,
});
