# SPDX-License-Identifier: MIT
# `kiln view` and `kiln serve`, where their libraries are there: the servers, and the page inside the program.
if(NOT KILN_HAS_VIEW)
  target_sources(kiln PRIVATE view/server/no_view.cpp view/service/no_serve.cpp)
  return()
endif()
file(GLOB_RECURSE page CONFIGURE_DEPENDS view/page/*.html view/page/*.css view/page/*.js)
kiln_embed_files(kiln_page page_files view/page ${page})
target_link_libraries(kiln PRIVATE kiln_page)
target_sources(kiln PRIVATE view/server/view.cpp view/server/kept_token.cpp view/server/live_files.cpp view/server/live_kept.cpp view/server/live_light.cpp view/server/live_parts.cpp view/server/light_desk.cpp view/server/live_explore.cpp view/server/live_film.cpp
  view/server/live_song.cpp view/server/live_numbers.cpp view/server/osc_door.cpp
  view/server/flame_folder.cpp view/server/kept_edits.cpp view/server/kept_states.cpp view/server/versions.cpp view/server/live_versions.cpp
  view/server/live_many.cpp view/server/live_formulas.cpp view/server/formula_shelf.cpp view/server/star_list.cpp view/server/flame_parts.cpp view/server/render_desk.cpp view/server/live_protocol.cpp
  view/server/frame_encoder.cpp view/server/web_server.cpp view/server/web_rules.cpp view/service/serve.cpp view/service/service_door.cpp
  view/service/render_service.cpp view/service/http_server.cpp)
# Boost.Beast: 24 s of processor, 30 s where it is optimized, which such servers do not need.
set_source_files_properties(view/server/web_server.cpp view/server/osc_door.cpp view/service/http_server.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS -O1)
target_include_directories(kiln SYSTEM PRIVATE ${BOOST_INCLUDE} ${TURBOJPEG_INCLUDE})
target_link_libraries(kiln PRIVATE ${TURBOJPEG_LIBRARY})
if(WIN32)
  target_link_libraries(kiln PRIVATE ws2_32 mswsock)
endif()
