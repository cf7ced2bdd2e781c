"""Hooks of mkdocs: what the site has beyond docs/.

CONTRIBUTING.md and CHANGELOG.md join as pages, KaTeX (Debian's libjs-katex) draws the equations, and links that lead to
other files of the source tree become plain text, since a site has no source tree.
"""

import os
import re

from mkdocs.structure.files import File

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
JAVASCRIPT = "/usr/share/javascript"
KATEX = ["katex.min.css", "katex.min.js", "contrib/auto-render.js"]
PAGES = ["CONTRIBUTING.md", "CHANGELOG.md"]


def on_files(files, config):
    fonts = [f"fonts/{name}" for name in sorted(os.listdir(f"{JAVASCRIPT}/katex/fonts"))]
    more = [(ROOT, page) for page in PAGES]
    more += [(HERE, name) for name in ["site.css", "equations.js"]]
    more += [(JAVASCRIPT, f"katex/{name}") for name in KATEX + fonts]
    for folder, name in more:
        files.append(File(name, folder, config["site_dir"], config["use_directory_urls"]))
    return files


def on_page_markdown(markdown, page, config, files):
    here = os.path.dirname(page.file.src_path)

    def mend(match):
        text, target = match.groups()
        path = target.partition("#")[0]
        if not path or "://" in target:
            return match.group(0)
        in_site = os.path.normpath(os.path.join(here, path))
        in_tree = os.path.normpath(os.path.join("" if page.file.src_path in PAGES else "docs", in_site))
        if in_tree in PAGES:
            return f"[{text}]({os.path.relpath(in_tree, here or '.')})"
        return match.group(0) if files.get_file_from_path(in_site) else text

    return re.sub(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)", mend, markdown)
