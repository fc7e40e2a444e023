import { router } from "../procedures.ts";
import { cancelPublishingProcedure } from "./cancel-publishing.ts";
import { endListingProcedure } from "./end-listing.ts";
import { getListingProcedure } from "./get-listing.ts";
import { listListingsProcedure } from "./list-listings.ts";
import { previewPublishProcedure } from "./preview-publish.ts";
import { publishProcedure } from "./publish-card.ts";
import { retryPublishingProcedure } from "./retry-publishing.ts";
import { reviseListingProcedure } from "./revise-listing.ts";
import { getTemplatesProcedure, saveTemplatesProcedure } from "./templates/own-templates.ts";
import { previewTemplateProcedure } from "./templates/preview-template.ts";

export const listingsRouter = router({
  list: listListingsProcedure,
  get: getListingProcedure,
  publish: publishProcedure,
  previewPublish: previewPublishProcedure,
  retry: retryPublishingProcedure,
  cancelPublishing: cancelPublishingProcedure,
  revise: reviseListingProcedure,
  end: endListingProcedure,
  previewTemplate: previewTemplateProcedure,
  templates: router({ get: getTemplatesProcedure, save: saveTemplatesProcedure }),
});
