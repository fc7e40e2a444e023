import { router } from "../procedures.ts";
import { createViewProcedure } from "./create-view.ts";
import { deleteViewProcedure } from "./delete-view.ts";
import { listViewsProcedure } from "./list-views.ts";
import { updateViewProcedure } from "./update-view.ts";

export const viewsRouter = router({
  list: listViewsProcedure,
  create: createViewProcedure,
  update: updateViewProcedure,
  delete: deleteViewProcedure,
});
