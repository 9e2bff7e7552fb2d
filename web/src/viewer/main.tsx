import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Technical } from "../why/Technical";
import { readPage } from "./data";
import { Page } from "./Page";
import "./fonts.css";
import "../style/tokens.css";
import "../style/base.css";
import "../style/marks.css";
import "../style/reasons.css";
import "../style/steps.css";
import "../style/senses.css";
import "../style/performed.css";
import "./viewer.css";
import "./print.css";

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Technical value={true}>
      <Page data={readPage()} />
    </Technical>
  </StrictMode>,
);
