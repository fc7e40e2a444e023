import { router } from "../procedures.ts";
import { listPlacesProcedure } from "./places/list-places.ts";
import { removePlaceProcedure } from "./places/remove-place.ts";
import { savePlaceProcedure } from "./places/save-place.ts";
import { locationTreeProcedure } from "./read-tree.ts";
import { renameLocationProcedure } from "./rename-location.ts";
import { suggestLocationsProcedure } from "./suggest-locations.ts";

export const locationsRouter = router({
  tree: locationTreeProcedure,
  suggest: suggestLocationsProcedure,
  rename: renameLocationProcedure,
  places: router({
    list: listPlacesProcedure,
    save: savePlaceProcedure,
    remove: removePlaceProcedure,
  }),
});
