# `kiln view`, where its libraries are there: the server, and the page inside the program.
if(NOT KILN_HAS_VIEW)
  target_sources(kiln PRIVATE view/server/no_view.cpp)
  return()
endif()
set(page ${PROJECT_SOURCE_DIR}/view/page)
set(page_texts ${PROJECT_BINARY_DIR}/page_files.cpp)
file(GLOB page_paths CONFIGURE_DEPENDS ${page}/*.html ${page}/*.css ${page}/*.js)
list(TRANSFORM page_paths REPLACE ".*/" "" OUTPUT_VARIABLE page_names)
list(JOIN page_names "," page_names)
add_custom_command(OUTPUT ${page_texts}
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${page} -DNAMES=${page_names} -DOUTPUT=${page_texts}
    -P ${PROJECT_SOURCE_DIR}/view/server/embed_page.cmake
  DEPENDS ${page_paths} ${PROJECT_SOURCE_DIR}/view/server/embed_page.cmake
  COMMENT "Embedding the page" VERBATIM)
target_sources(kiln PRIVATE view/server/view.cpp view/server/kept_token.cpp view/server/live_protocol.cpp view/server/live_files.cpp
  view/server/flame_folder.cpp view/server/kept_edits.cpp view/server/render_desk.cpp view/server/frame_encoder.cpp
  view/server/web_server.cpp ${page_texts})
# Boost.Beast: 24 s of processor, 30 s where it is optimized, which a server of one page does not need.
set_source_files_properties(view/server/web_server.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS -O1)
target_include_directories(kiln SYSTEM PRIVATE ${BOOST_INCLUDE} ${TURBOJPEG_INCLUDE})
target_link_libraries(kiln PRIVATE ${TURBOJPEG_LIBRARY})
